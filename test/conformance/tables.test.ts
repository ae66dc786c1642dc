import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROFILE_KEYS } from '@string-os/bridge'
import { ERROR_CODES, LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../packages/stringd/src/command/table.ts'
import { ROUTES } from '../../packages/stringd/src/http/routes.ts'

const spec = (name: string): string => readFileSync(join(import.meta.dirname, '../../spec', name), 'utf8')
const rows = (text: string): [string, string][] =>
  [...text.matchAll(/^\| `([^`]+)` \| (.*?) \|$/gm)].map(([, name = '', value = '']) => [name, value])

describe('the tables and the specification', () => {
  it('every limit is in spec/limits.md with its value, and the reverse', () => {
    expect(Object.fromEntries(rows(spec('limits.md')))).toEqual(
      Object.fromEntries(Object.entries(LIMITS).map(([name, value]) => [name, String(value)])),
    )
  })

  it('every error code is in spec/codes.md, and the reverse', () => {
    expect(rows(spec('codes.md')).map(([code]) => code)).toEqual([...Object.keys(ERROR_CODES), 'EXIT_<n>'])
  })

  it('every command has a row in spec/commands.md', () => {
    for (const { name } of COMMANDS) expect(spec('commands.md')).toMatch(new RegExp(`^\\| \`/${name}\\b`, 'm'))
  })

  it('every route is in spec/http.md', () => {
    for (const { method, path } of ROUTES)
      if (!path.endsWith('*')) expect(spec('http.md')).toContain(`${method} ${path}`)
  })

  it('every key of a profile is in spec/agentproc.md with its default, in the same order', () => {
    const [, table = ''] = spec('agentproc.md').split('| key | kind | default |\n')
    const [keys = ''] = table.split('\n\n')
    const written = rows(keys).map(([key, rest]) => [key, rest.split(' | ').at(-1)])
    const spoken: Record<string, string> = {
      command: 'required',
      cwd: "the caller's",
      env_allowlist: 'none',
      executor: 'none',
      wake: 'none',
    }
    const shown = (value: unknown) =>
      typeof value === 'string' && /^[\w.]+$/.test(value) ? value : JSON.stringify(value)
    expect(written).toEqual(
      Object.entries(PROFILE_KEYS).map(([key, row]) => [
        key,
        spoken[key] ?? `\`${'fallback' in row ? shown(row.fallback) : ''}\``,
      ]),
    )
  })
})
