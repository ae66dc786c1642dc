import { ok } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { parseArgs, parseCommandLine } from '../../src/command/core/args.ts'
import { usage } from '../../src/command/core/command.ts'
import { defineCommand } from '../../src/command/core/define.ts'

const sample = defineCommand({
  name: 'sample',
  summary: 'A sample',
  params: { path: 'required', other: 'optional' },
  flags: {
    all: { type: 'boolean', short: 'a', summary: 'all' },
    page: { type: 'number', short: 'p', summary: 'page' },
    sep: { type: 'string', summary: 'separator' },
  },
  body: 'optional',
  details: [],
  examples: [],
  run: () => ok('done'),
})

const parse = (text: string) => {
  const line = parseCommandLine(text)
  if (line === null) throw new Error('not a command')
  return parseArgs(
    sample,
    line,
    new Map([
      ['city', 'New York --all'],
      ['dash', '--all'],
    ]),
  )
}

describe('a command line', () => {
  it.each([
    ['/info', { name: 'info', rest: '', body: '' }],
    ['/open  a b ', { name: 'open', rest: 'a b ', body: '' }],
    ['/write a\nbody\n/x', { name: 'write', rest: 'a', body: 'body\n/x' }],
    ['/write a\r\nbody\r\n', { name: 'write', rest: 'a', body: 'body\r\n' }],
    ['/', { name: '', rest: '', body: '' }],
  ])('%j is taken apart', (text, line) => {
    expect(parseCommandLine(text)).toEqual(line)
  })

  it.each(['', 'text', ' /info', '\n/info'])('%j is no command', (text) => {
    expect(parseCommandLine(text)).toBeNull()
  })
})

describe('arguments', () => {
  it.each([
    ['/sample a', { path: 'a' }],
    [`/sample 'a b' "c \\" d"`, { path: 'a b', other: 'c " d' }],
    ['/sample a\\ b', { path: 'a b' }],
    ["/sample ''", { path: '' }],
    ['/sample --all a', { path: 'a', all: true }],
    ['/sample a -a -p 3', { path: 'a', all: true, page: 3 }],
    ['/sample a --page=3 --sep "x y"', { path: 'a', page: 3, sep: 'x y' }],
    ['/sample a --sep=--all', { path: 'a', sep: '--all' }],
    ['/sample a --sep --all', { path: 'a', sep: '--all', all: false }],
    ['/sample -- --all -x', { path: '--all', other: '-x', all: false }],
    ['/sample - -1', { path: '-', other: '-1' }],
    ['/sample a\nbody\n', { path: 'a', body: 'body\n' }],
    ['/sample {city} x{city}', { path: 'New York --all', other: 'xNew York --all', all: false }],
    ['/sample {dash} {dash}', { path: '--all', other: '--all', all: false }],
    ['/sample a --sep={city}', { path: 'a', sep: 'New York --all' }],
    ['/sample {A} {a-b}{}', { path: '{A}', other: '{a-b}{}' }],
  ])('%s is read', (text, values) => {
    expect(parse(text)).toMatchObject({ ok: true, values })
  })

  it.each([
    ['/sample', 'USAGE', '/sample needs PATH'],
    [
      '/sample a b c',
      'INVALID_PARAMS',
      'Too many arguments: c (quote a path with blanks; a body goes on the next lines)',
    ],
    ['/sample a --nope', 'INVALID_PARAMS', 'Unknown flag --nope'],
    ['/sample a -x', 'INVALID_PARAMS', 'Unknown flag -x'],
    ['/sample a --page', 'INVALID_PARAMS', '--page needs a value'],
    ['/sample a --page x', 'INVALID_PARAMS', '--page needs a whole number, not x'],
    ['/sample a --all=1', 'INVALID_PARAMS', '--all takes no value'],
    ['/sample "a', 'INVALID_PARAMS', 'A quote or backslash is not closed'],
    ['/sample a --__proto__ x', 'INVALID_PARAMS', 'Unknown flag --__proto__'],
  ])('%s is refused, with the usage line', (text, code, system) => {
    expect(parse(text)).toMatchObject({ ok: false, code, system, hints: [`Usage: ${usage(sample)}`] })
  })

  it('suggests the flag that was probably meant', () => {
    for (const [typed, meant] of [
      ['--al', 'all'],
      ['--pgae 2', 'page'],
      ['--pag', 'page'],
    ])
      expect(parse(`/sample a ${typed}`)).toMatchObject({
        code: 'INVALID_PARAMS',
        hints: [`Did you mean --${meant}?`, `Usage: ${usage(sample)}`],
      })
  })

  it.each([
    [{}, '/sample takes no argument: now'],
    [{ type: 'optional' }, 'Too many arguments: now (quote a value with blanks; a body goes on the next lines)'],
    [{ source: 'required' }, 'Too many arguments: now (quote a path with blanks; a body goes on the next lines)'],
  ] as const)('with parameters %j says of a word too many what fits', (params, system) => {
    const command = defineCommand({ ...sample, params, run: () => ok('done') })
    const line = parseCommandLine(`/sample ${'a '.repeat(Object.keys(params).length)}now`)
    expect(line === null ? null : parseArgs(command, line, new Map())).toMatchObject({
      code: 'INVALID_PARAMS',
      system,
      hints: [`Usage: ${usage(command)}`],
    })
  })

  it('says nothing of a body where a command takes none', () => {
    const command = defineCommand({ ...sample, body: 'none', run: () => ok('done') })
    const line = parseCommandLine('/sample a b c')
    expect(line === null ? null : parseArgs(command, line, new Map())).toMatchObject({
      system: 'Too many arguments: c (quote a path with blanks)',
    })
  })

  it('shows what a command takes', () => {
    expect(usage(sample)).toBe('/sample PATH [OTHER] [--all] [--page N] [--sep TEXT] + body on the next lines')
  })
})
