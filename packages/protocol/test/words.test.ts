import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../test/support/fast-check.ts'
import { splitWords } from '../src/words.ts'

describe('words of a command line', () => {
  it.each([
    ['', []],
    [' \t a  b\r\n', ['a', 'b']],
    [`''`, ['']],
    [`a '' ""`, ['a', '', '']],
    [`a'b'"c"d`, ['abcd']],
    [`'a\\b$c"d\`e'`, ['a\\b$c"d`e']],
    ['\\$ \\a \\\\ \\" \\\' \\ x', ['$', 'a', '\\', '"', "'", ' x']],
    ['a\\\nb', ['ab']],
    ['"\\$(id)"', ['$(id)']],
    ['"\\`id\\`"', ['`id`']],
    ['"\\"" "\\\\" "a\\\nb"', ['"', '\\', 'ab']],
    [`"\\a\\n\\'\\!\\ \\{"`, [`\\a\\n\\'\\!\\ \\{`]],
    ['"\\\\$x" "\\\\\\$x"', ['\\$x', '\\$x']],
    // What stood before a quote is not read again when the quote ends.
    [`\\\\\\\\"x" '\\\\'"x" '\\$'"x"`, ['\\\\x', '\\\\x', '\\$x']],
    [`$'a\\nb' $'\\'\\"\\\\' $'\\x41\\101\\u00e9\\cA\\t\\q'`, ['a\nb', `'"\\`, 'AAé\x01\t\\q']],
    ['$x $"y" a$', ['$x', '$y', 'a$']],
    ['"a\nb" \'c\nd\'', ['a\nb', 'c\nd']],
    ['é "😀 \u00a0"', ['é', '😀 \u00a0']],
  ])('%j are %j', (line, words) => {
    expect(splitWords(line)).toEqual(words)
  })

  it.each(['"', "'", 'a"b', '"\\"', '\\', 'a \\', `$'\\'`, `'a' "b`])('%j has no end', (line) => {
    expect(splitWords(line)).toBeNull()
  })

  it('are what a shell makes of them, wherever a shell only splits', () => {
    const unit = fc.constantFrom('a', ' ', "'", '"', '\\', '\\$', '\\`', '\n', 'é', '=')
    const lines = fc.sample(fc.string({ unit, maxLength: 12 }), { numRuns: 400, seed: 7 })
    const closed = lines.filter((line) => splitWords(line) !== null && !/[\n$`]/.test(active(line)))
    // The first word is ours: without an argument printf prints its format once.
    const script = closed.map((line) => `printf '%s\\0' - ${line}\nprintf '\\1'`).join('\n')
    const printed = execFileSync('/bin/bash', ['-c', script], { encoding: 'utf8' })
    const seen = printed.split('\x01').slice(0, -1)
    expect(closed.length).toBeGreaterThan(100)
    for (const [index, line] of closed.entries())
      expect(seen[index], JSON.stringify(line)).toBe(['-', ...(splitWords(line) ?? []), ''].join('\0'))
  })
})

/** What quotes do not hide from a shell: there a line end would end the command, and `$` would begin an expansion. */
function active(line: string): string {
  return line.replace(/'[^']*'|"((?:[^"\\]|\\[\s\S])*)"|\\[\s\S]/g, (_, double?: string) =>
    (double ?? '').replace(/\\[\s\S]|\n/g, ''),
  )
}
