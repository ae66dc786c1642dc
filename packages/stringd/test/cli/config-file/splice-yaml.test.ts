import { describe, expect, it } from 'vitest'
import { putEntry } from '../../../src/cli/config-file/put-entry.ts'

const PLACED = { at: ['extensions', 'string'], entry: { cmd: 'string', args: ['--mcp'], envs: {} } }
const ENTRY = '  string:\n    cmd: string\n    args:\n      - "--mcp"\n    envs: {}\n'

function put(text: string): string {
  const result = putEntry('yaml', text, PLACED)
  return result.ok ? result.text : `refused: ${result.reason}`
}

const CASES: readonly { what: string; before: string; after: string }[] = [
  { what: 'an empty file', before: '', after: `extensions:\n${ENTRY}` },
  { what: 'a file of comments', before: '# mine', after: `# mine\nextensions:\n${ENTRY}` },
  {
    what: 'a file without extensions',
    before: '# mine\nGOOSE_MODEL: x # the best\n',
    after: `# mine\nGOOSE_MODEL: x # the best\nextensions:\n${ENTRY}`,
  },
  {
    what: 'other extensions, before what follows them',
    before: 'extensions:\n  a:\n    cmd: a # one\n    # no more\n\n# behind\nother: 1\n',
    after: `extensions:\n  a:\n    cmd: a # one\n${ENTRY}    # no more\n\n# behind\nother: 1\n`,
  },
  {
    what: 'the place of an entry that is there',
    before: 'extensions:\n  string:\n    cmd: old\n    x: |\n      text\n  b:\n    cmd: b\n',
    after: `extensions:\n${ENTRY}  b:\n    cmd: b\n`,
  },
  {
    what: 'extensions without a value',
    before: 'a: 1\nextensions:\nb: 2\n',
    after: `a: 1\nextensions:\n${ENTRY}b: 2\n`,
  },
  { what: 'extensions that are empty', before: 'extensions: {}\n', after: `extensions:\n${ENTRY}` },
  {
    what: 'lines that end with CRLF',
    before: 'extensions:\r\n  a:\r\n    cmd: a\r\n',
    after: `extensions:\n  a:\n    cmd: a\n${ENTRY}`.replaceAll('\n', '\r\n'),
  },
]

describe('an entry in a YAML file', () => {
  it.each(CASES)('goes into $what', ({ before, after }) => {
    expect(put(before)).toBe(after)
    expect(put(after)).toBe(after)
  })

  it.each([
    ['a: [', /^refused: .*line 1/],
    ['a: 1\na: 2', /^refused: line 2, column 1: this key stands twice/],
    ['- a', /^refused: it holds no names with values$/],
    ['a: 1\n---\nb: 2', /^refused: it holds several documents$/],
    ['{a: 1}', /^refused: line 1, column 1: a map in braces/],
    ['extensions: {a: {cmd: a}}', /^refused: line 1, column 13: a map in braces/],
    ['extensions:\n  - a\n', /^refused: line 1, column 1: extensions is a list, not a map$/],
  ])('is refused by %j', (text, reason) => {
    expect(put(text)).toMatch(reason)
  })
})
