import { describe, expect, it } from 'vitest'
import { fc } from '../../../../../test/support/fast-check.ts'
import { putEntry } from '../../../src/cli/config-file/put-entry.ts'

const PLACED = { at: ['mcpServers', 'string'], entry: { command: 'string' } }

function put(text: string): string {
  const result = putEntry('json', text, PLACED)
  return result.ok ? result.text : `refused: ${result.reason}`
}

const CASES: readonly { what: string; before: string; after: string }[] = [
  {
    what: 'an empty object',
    before: '{}\n',
    after: '{\n  "mcpServers": {\n    "string": {\n      "command": "string"\n    }\n  }\n}\n',
  },
  {
    what: 'a file without servers, whose indentation is taken over',
    before: '{\n    "theme": "dark"\n}',
    after:
      '{\n    "theme": "dark",\n    "mcpServers": {\n        "string": {\n            "command": "string"\n        }\n    }\n}',
  },
  {
    what: 'other servers, with comments and tabs',
    before: '// mine\n{\n\t"mcpServers": {\n\t\t"a": { "command": "a" } // the first\n\t\t/* no more */\n\t}\n}\n',
    after:
      '// mine\n{\n\t"mcpServers": {\n\t\t"a": { "command": "a" }, // the first\n\t\t/* no more */\n\t\t"string": {\n\t\t\t"command": "string"\n\t\t}\n\t}\n}\n',
  },
  {
    what: 'a comma behind the last member, which stays a habit',
    before: '{\n  "a": [1, 2,],\n}\n',
    after: '{\n  "a": [1, 2,],\n  "mcpServers": {\n    "string": {\n      "command": "string"\n    }\n  },\n}\n',
  },
  {
    what: 'an entry that is there, in its place',
    before: '{\n  "mcpServers": {\n    "string": { "url": "http://x" }, // ours\n    "b": {}\n  }\n}\n',
    after: '{\n  "mcpServers": {\n    "string": {\n      "command": "string"\n    }, // ours\n    "b": {}\n  }\n}\n',
  },
  {
    what: 'lines that end with CRLF',
    before: '{\r\n  "a": 1\r\n}\r\n',
    after:
      '{\r\n  "a": 1,\r\n  "mcpServers": {\r\n    "string": {\r\n      "command": "string"\r\n    }\r\n  }\r\n}\r\n',
  },
  {
    what: 'everything on one line',
    before: '{"a":1}',
    after: '{"a":1,\n  "mcpServers": {\n    "string": {\n      "command": "string"\n    }\n  }\n}',
  },
  {
    what: 'a mark at the beginning',
    before: '\ufeff{}',
    after: '\ufeff{\n  "mcpServers": {\n    "string": {\n      "command": "string"\n    }\n  }\n}',
  },
  {
    what: 'an empty file',
    before: ' \n',
    after: '{\n  "mcpServers": {\n    "string": {\n      "command": "string"\n    }\n  }\n}\n',
  },
  {
    what: 'a name that is written with an escape',
    before: '{"mcpServer\\u0073":{"string":1}}',
    after: '{"mcpServer\\u0073":{"string":{\n    "command": "string"\n  }}}',
  },
]

describe('an entry in a JSON file', () => {
  it.each(CASES)('goes into $what', ({ before, after }) => {
    expect(put(before)).toBe(after)
  })

  it.each([
    ['{"a": }', 'refused: line 1, column 7: a value is expected'],
    ['{\n  "a": 1\n  "b": 2\n}', 'refused: line 3, column 3: a comma or } is expected'],
    ['[]', 'refused: line 1, column 1: an object is expected here'],
    ['{"mcpServers": []}', 'refused: line 1, column 16: an object is expected here'],
    ['{} {}', 'refused: line 1, column 4: nothing more is expected'],
    ['{"a": 1', 'refused: line 1, column 8: a comma or } is expected'],
    ["{'a': 1}", 'refused: line 1, column 2: a name in double quotes is expected'],
    ['{"a": 01}', 'refused: line 1, column 7: a value is expected'],
    ['{"a": 1, "a": 2}', 'refused: line 1, column 13: "a" is there twice'],
  ])('is refused by %s', (text, reason) => {
    expect(put(text)).toBe(reason)
  })

  it('is refused where values are nested too deeply', () => {
    expect(put('['.repeat(50_000))).toBe('refused: line 1, column 102: it is nested too deeply')
  })

  it('changes nothing else of what the file says, and nothing at all the second time', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 1, 2, 4, '\t'), (value, space) => {
        const before = JSON.stringify({ ...value, mcpServers: { ...value } }, null, space)
        const after = put(before)
        expect(JSON.parse(after)).toEqual({
          ...(JSON.parse(before) as object),
          mcpServers: { ...(JSON.parse(JSON.stringify(value)) as object), string: PLACED.entry },
        })
        expect(put(after)).toBe(after)
      }),
    )
  })
})
