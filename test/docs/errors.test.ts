import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as client from '@string-os/client'
import { ERROR_CODES } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { CAUSES, type Help, TURN_ERRORS } from '../../packages/stringd/src/cli/error-causes.ts'
import * as families from '../../packages/stringd/src/cli/error-families.ts'
import { errorHelp } from '../../packages/stringd/src/cli/error-help.ts'
import { COMMANDS } from '../../packages/stringd/src/command/table.ts'

const root = join(import.meta.dirname, '../..')
const tables: Readonly<Record<string, Readonly<Record<string, Help>>>> = { CAUSES, TURN_ERRORS, ...families }

describe('docs/errors.md', () => {
  it('has a cause and a next step for every code', () => {
    const help: Readonly<Record<string, Help>> = CAUSES
    const missing = Object.keys(ERROR_CODES).filter((code) => !help[code]?.cause || !help[code]?.next)
    const hint = missing.map(
      (code) => `${code} of codes.ts has none: add its row to cli/error-causes.ts, then npm run docs`,
    )
    expect(hint).toEqual([])
    expect(Object.keys(help).filter((code) => !(code in ERROR_CODES))).toEqual([])
  })

  it.each(Object.entries(tables))('%s: each row says why it comes and what to do', (_, rows) => {
    for (const [name, { cause, next }] of Object.entries(rows)) {
      expect(cause.length, name).toBeGreaterThan(10)
      expect(next.length, name).toBeGreaterThan(5)
      expect(`${cause}|${next}`, name).not.toMatch(/\.(\||$)/)
    }
  })

  it('and string help say the same of every name, all of it where a name stands for several things', () => {
    const asShown = (text: string): string => text.replace(/\[[^\]]+\]\([^)]+\).*$/, '').replaceAll('`', '')
    for (const [key, { cause, next }] of Object.values(tables).flatMap((rows) => Object.entries(rows))) {
      const said = errorHelp(key.split(' ').at(-1) ?? '')
      expect(said, key).toContain(`\n  cause: ${asShown(cause)}`)
      expect(said, key).toContain(`\n  next: ${asShown(next)}`)
    }
    for (const code of ['EXIT_3', 'EXIT_127', 'EXIT_n']) {
      expect(errorHelp(code)).toContain('A shell command ended with status n; its output is the content')
      expect(errorHelp(code)).toContain('cause: The agent’s program ended with status n')
    }
    expect(errorHelp('HTTP_401')).toContain('HTTP was answered with status 401.')
    expect(errorHelp('HTTP_418')).toContain('The daemon refused the request, and has no code for it')
  })

  it('names only commands that there are', () => {
    const known = new Set(COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]))
    const text = JSON.stringify(tables)
    const named = [...text.matchAll(/`\/([a-z]+)(?=[ .`])/g)].map(([, name = '']) => name)
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  it('has every class of error that the client exports, and no other', () => {
    const exported = Object.values(client).filter(
      (each) => typeof each === 'function' && each.prototype instanceof client.StringClientError,
    )
    const listed = new Set(Object.keys(families.CLIENT_ERRORS).map((name) => name.split(' ')[0]))
    expect(listed).toEqual(new Set(exported.map((each) => each.name)))
  })

  it('has every status that a handler answers with', () => {
    const folder = join(root, 'packages/stringd/src/http')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
    const source = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
    const statuses = new Set([...source.matchAll(/[ (,]([45]\d\d)(?=[,) ])/g)].map(([, status = '']) => status))
    expect(statuses.size).toBeGreaterThan(8)
    expect([...statuses].filter((status) => !(status in families.HTTP_ERRORS))).toEqual([])
  })
})
