import { describe, expect, it } from 'vitest'
import { putEntry } from '../../../src/cli/config-file/put-entry.ts'

const PLACED = { at: ['mcp_servers', 'string'], entry: { command: 'string', args: ['--mcp'] } }
const ENTRY = '[mcp_servers.string]\ncommand = "string"\nargs = ["--mcp"]\n'

function put(text: string): string {
  const result = putEntry('toml', text, PLACED)
  return result.ok ? result.text : `refused: ${result.reason}`
}

const CASES: readonly { what: string; before: string; after: string }[] = [
  { what: 'an empty file', before: '', after: ENTRY },
  {
    what: 'a file with comments, behind all that is there',
    before: '# mine\nmodel = "x" # the best\n\n[tui]\ntheme = \'dark\'',
    after: `# mine\nmodel = "x" # the best\n\n[tui]\ntheme = 'dark'\n\n${ENTRY}`,
  },
  {
    what: 'the place of an entry that is there, with the tables below it',
    before:
      'a = 1\n\n[mcp_servers.string] # ours\nurl = "http://x"\n\n[mcp_servers.string.env]\nA = "1" # one\n\n# theirs\n[mcp_servers.b]\ncommand = "b"\n',
    after: `a = 1\n\n${ENTRY}\n# theirs\n[mcp_servers.b]\ncommand = "b"\n`,
  },
  {
    what: 'an entry under a quoted name',
    before: '["mcp_servers" . \'string\']\ncommand = "old"\n',
    after: ENTRY,
  },
  {
    what: 'lines that end with CRLF',
    before: 'a = 1\r\n',
    after: `a = 1\r\n\r\n${ENTRY.replaceAll('\n', '\r\n')}`,
  },
  {
    what: 'a file whose values look like tables and comments',
    before:
      'a = """\n[mcp_servers.string]\n"""\nb = \'\'\'\n# [x]\'\'\'\nc = [\n  "]", # ]\n  { d = "}" },\n]\ne = 1979-05-27 07:32:00Z\nf = 0x_f\n',
    after: `a = """\n[mcp_servers.string]\n"""\nb = '''\n# [x]'''\nc = [\n  "]", # ]\n  { d = "}" },\n]\ne = 1979-05-27 07:32:00Z\nf = 0x_f\n\n${ENTRY}`,
  },
  {
    what: 'a file with arrays of tables and dotted keys',
    before: 'mcp_servers.a.command = "a"\n[[hooks]]\nx = inf\n[[hooks]]\n',
    after: `mcp_servers.a.command = "a"\n[[hooks]]\nx = inf\n[[hooks]]\n\n${ENTRY}`,
  },
]

describe('an entry in a TOML file', () => {
  it.each(CASES)('goes into $what', ({ before, after }) => {
    expect(put(before)).toBe(after)
    expect(put(after)).toBe(after)
  })

  it.each([
    ['a = ', 'refused: line 1, column 5: a value is expected'],
    ['a = foo', 'refused: line 1, column 5: a value is expected'],
    ['ok = true\n[a', 'refused: line 2, column 3: ] is expected'],
    ['a = 1 b = 2', 'refused: line 1, column 7: the end of the line is expected'],
    ['a = "x', 'refused: line 1, column 5: a value is expected'],
    ['a = [1 2]', 'refused: line 1, column 8: a comma or ] is expected'],
    ['a = """x', 'refused: line 1, column 7: the end of the line is expected'],
    [
      'mcp_servers = { b = { command = "b" } }',
      'refused: line 1, column 1: mcp_servers.string is not written as a table [mcp_servers.string], so it cannot be edited here',
    ],
    [
      '[mcp_servers]\nstring.command = "x"',
      'refused: line 2, column 1: mcp_servers.string is not written as a table [mcp_servers.string], so it cannot be edited here',
    ],
    [
      '[[mcp_servers.string]]',
      'refused: line 1, column 1: mcp_servers.string is not written as a table [mcp_servers.string], so it cannot be edited here',
    ],
  ])('is refused by %s', (text, reason) => {
    expect(put(text)).toBe(reason)
  })

  it('is refused where values are nested too deeply', () => {
    expect(put(`a = ${'['.repeat(50_000)}`)).toBe('refused: line 1, column 106: it is nested too deeply')
  })
})
