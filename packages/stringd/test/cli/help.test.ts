import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EXIT_TEXTS } from '../../src/cli/exit.ts'
import { GLOBAL_FLAGS } from '../../src/cli/global-flags.ts'
import { narrowed, overview, verbHelp } from '../../src/cli/help.ts'
import { asCalled, programName } from '../../src/cli/program-name.ts'
import type { SubverbRow, VerbRow } from '../../src/cli/verb-row.ts'
import { VERBS } from '../../src/cli/verbs.ts'

const PAGES: readonly (readonly [string, VerbRow, SubverbRow | null])[] = VERBS.flatMap((row) => [
  [row.name, row, null] as const,
  ...(row.subverbs ?? []).map((sub) => [`${row.name} ${sub.name}`, row, sub] as const),
])

function tooLong(text: string): string[] {
  return text.split('\n').filter((line) => line.length > 80)
}

describe('help', () => {
  it.each(PAGES)(
    'of %s fits a screen of 24 lines and 80 columns, with usage, examples and exit codes',
    (name, row, sub) => {
      const text = verbHelp(row, sub, 'string')
      expect(tooLong(text)).toEqual([])
      expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(24)
      expect(text).toMatch(new RegExp(`^string ${name}: `))
      expect(text).toContain('\nExamples:\n  ')
      if (sub !== null)
        for (const { line } of sub.examples ?? [])
          expect(line.startsWith(name), `${line} is no example of it`).toBe(true)
      expect(text).toContain('\nExit status: 0 ')
    },
  )

  it.each(VERBS.map((row) => [row.name, row] as const))(
    'of %s has examples that begin with a verb, and usage with its own',
    (name, row) => {
      const verbs = VERBS.map((each) => each.name)
      for (const { line } of row.examples) expect(verbs).toContain(line.split(' ')[0])
      for (const line of row.usage) expect(line.split(' ')[0]).toBe(name)
      for (const sub of row.subverbs ?? []) for (const line of sub.usage) expect(line).toContain(sub.name)
    },
  )

  it('of all fits 40 lines, and has every verb once', () => {
    const text = overview({ name: 'string', verbs: VERBS })
    expect(tooLong(text)).toEqual([])
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
    for (const { name, hidden, toldBy } of VERBS) {
      const isListed = hidden !== true && toldBy === undefined
      expect(text.split('\n').filter((line) => line.startsWith(`  ${name} `))).toHaveLength(isListed ? 1 : 0)
      if (toldBy !== undefined) expect(text).toMatch(new RegExp(`^  ${toldBy} .*\\b${name}\\b`, 'm'))
    }
  })

  it('tells of every verb the statuses of one table, which the reference page has too', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/reference/json.md'), 'utf8')
    for (const [status, when] of EXIT_TEXTS) expect(page).toMatch(new RegExp(`^\\| ${status} \\| ${when}\\b`, 'm'))
    const line = (name: string): string => {
      const row = VERBS.find((each) => each.name === name)
      const text = row === undefined ? '' : verbHelp(row, null, 'string')
      return text.slice(text.indexOf('Exit status: ')).replaceAll('\n', ' ').trim()
    }
    expect(line('turns')).toBe('Exit status: 0 ok, 1 it failed, or no such agent, 2 wrong usage, 3 no daemon.')
    expect(line('doctor')).toBe('Exit status: 0 ok, 1 something fails, 2 wrong usage.')
    expect(line('status')).toBe('Exit status: 0 ok, 1 it failed, 2 wrong usage, 3 it does not run.')
    expect(line('app')).toBe('Exit status: 0 ok, 1 something is wrong with it, 2 wrong usage, 3 no daemon.')
  })

  it('of all names every flag of string itself', () => {
    const text = overview({ name: 'string', verbs: VERBS })
    for (const { name } of GLOBAL_FLAGS) expect(text).toMatch(new RegExp(` --${name}\\b`))
  })

  it('is broken between words where the window is narrow, and every word is there', () => {
    const text = overview({ name: 'string', verbs: VERBS })
    const narrow = narrowed(text, 40)
    for (const line of narrow.split('\n')) expect(line.length).toBeLessThanOrEqual(40)
    expect(narrow.split(/\s+/)).toEqual(text.split(/\s+/))
  })

  it('names the program as it was called', () => {
    const text = overview({ name: 'strg', verbs: VERBS })
    expect(text).toContain("strg TOPIC 'COMMAND'")
    expect(text).not.toMatch(/\bstring /)
    for (const [, row, sub] of PAGES) expect(verbHelp(row, sub, 'strg')).not.toMatch(/(?<![\w.])string [a-z-]/)
  })
})

describe('the name of the program', () => {
  it.each([
    ['/usr/local/bin/strg', 'strg'],
    ['/x/bin/strg.cjs', 'strg'],
    ['/x/bin/string.cjs', 'string'],
    ['/usr/local/bin/string', 'string'],
    ['/home/me/bin/s', 'string'],
    ['', 'string'],
  ])('of %j is %s', (script, name) => {
    expect(programName(script)).toBe(name)
  })

  it('is put where a text says what to type, and nowhere else', () => {
    expect(
      asCalled("a string; string agent list shows it; string --help; @string-os/string x; string 'x'", 'strg'),
    ).toBe("a string; strg agent list shows it; strg --help; @string-os/string x; strg 'x'")
  })
})
