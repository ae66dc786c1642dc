import { describe, expect, it } from 'vitest'
import { eachWord, type FlagGrammar, readFlags } from '../src/flags.ts'

const TABLE = {
  all: { type: 'boolean', short: 'a' },
  page: { type: 'number', short: 'p' },
  text: { type: 'string' },
  file: { type: 'string', multiple: true },
  deep: { type: 'truth' },
} as const
const GRAMMAR: FlagGrammar = { pattern: /^(?:--([^=]*)(?:=(.*))?|-([A-Za-z][^=]*)(?:=(.*))?)$/s, hasEnd: true }
const NOTHING = { all: false, page: undefined, text: undefined, file: undefined, deep: false }

describe('words and flags', () => {
  it.each([
    [['x'], {}, ['x']],
    [['--all', 'x', '-p', '3'], { all: true, page: 3 }, ['x']],
    [['--text', '--all'], { text: '--all' }, []],
    [['--text=', '--text=a=b'], { text: 'a=b' }, []],
    [['--file', 'a', '--file=b'], { file: ['a', 'b'] }, []],
    [['--deep', 'x'], { deep: true }, ['x']],
    [['--deep', 'false', 'x'], { deep: false }, ['x']],
    [['--deep=true'], { deep: true }, []],
    [['-', '-1', '--', '--all', '--'], {}, ['-', '-1', '--all', '--']],
  ])('%j is read', (words, values, others) => {
    expect(readFlags(TABLE, GRAMMAR, words)).toEqual({ ok: true, values: { ...NOTHING, ...values }, words: others })
  })

  it.each([
    [['x', '--nope=1'], { reason: 'unknown', at: 1, spelled: '--nope', name: null, value: '1' }],
    [['-x'], { reason: 'unknown', spelled: '-x' }],
    [['--__proto__'], { reason: 'unknown', name: null }],
    [['--text'], { reason: 'valueless', spelled: '--text', name: 'text' }],
    [['-a=1'], { reason: 'valued', spelled: '-a', name: 'all' }],
    [['--page', 'x'], { reason: 'no-number', name: 'page', value: 'x' }],
    [['--nope', '--text'], { reason: 'unknown' }],
  ])('%j is refused at its first fault', (words, problem) => {
    expect(readFlags(TABLE, GRAMMAR, words)).toMatchObject({ ok: false, ...problem })
  })

  it('only what was typed is a flag, or the end of flags', () => {
    const typed = ['{x}', '{y}', '--text', '{x}', '--text={x}']
    const words = ['--all', '--', '--text', '--all', '--text=--all']
    expect(readFlags(TABLE, GRAMMAR, typed, words)).toMatchObject({ ok: true, values: { text: '--all', all: false } })
    expect(readFlags(TABLE, GRAMMAR, typed, words)).toMatchObject({ words: ['--all', '--'] })
  })

  it('whoever reads word by word may go on behind one that cannot be used', () => {
    const read = [...eachWord(TABLE, { ...GRAMMAR, hasEnd: false }, ['--nope', '--', '--all'])]
    expect(read.map(({ ok, at, name }) => ({ ok, at, name }))).toEqual([
      { ok: false, at: 0, name: null },
      { ok: false, at: 1, name: null },
      { ok: true, at: 2, name: 'all' },
    ])
  })
})
