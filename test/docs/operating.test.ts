import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { serviceVariables, VARIABLES } from '../../packages/stringd/src/config.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/operating.md'), 'utf8')
const source = readFileSync(join(root, 'packages/stringd/src/config.ts'), 'utf8')

const [, table = ''] = page.split('| variable | without it | what it does |\n|---|---|---|\n')
const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)` \| (.*?) \|/gm)]
const names = rows.map(([, name]) => name)

describe('docs/operating.md', () => {
  it('has every variable that String reads, in the order of the table in config.ts', () => {
    expect(names).toEqual(VARIABLES.map(({ name }) => name))
    const read = new Set<string | undefined>(
      [...source.matchAll(/\benv\.(STRING_\w+|NO_COLOR)/g)].map(([, name]) => name),
    )
    expect(new Set(names)).toEqual(read)
  })

  it('tells the limits that hold', () => {
    const [, fallback] = rows.find(([, name]) => name === 'STRING_EXEC_TIMEOUT_MS')?.slice(1) ?? []
    expect(fallback).toBe(String(LIMITS.execMs))
    expect(page).toContain(`at most ${LIMITS.logFiles} files of ${LIMITS.logFileBytes / 1024 / 1024} MiB`)
  })

  it('a service hands on all that a daemon reads, and nothing of String beside', () => {
    const all = Object.fromEntries(VARIABLES.map(({ name }) => [name, 'x']))
    const handed = Object.keys(serviceVariables({ ...all, STRING_OWNER: 'x', SECRET: 'x', PATH: '/bin' }))
    const ofPeople = ['STRING_AGENT', 'STRING_HINTS', 'NO_COLOR']
    expect(handed).toEqual([...names.filter((name) => !ofPeople.includes(name ?? '')), 'PATH'])
  })
})
