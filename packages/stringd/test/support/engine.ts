import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Failure, fail, LIMITS } from '@string-os/protocol'
import { fc } from '../../../../test/support/fast-check.ts'
import { tempDir } from '../../../../test/support/temp.ts'
import type { CallArguments } from '../../src/action/call/arguments.ts'
import type { Powers } from '../../src/action/call/powers.ts'
import { prepare } from '../../src/action/call/prepare.ts'
import { checkValue, type FieldValue } from '../../src/action/call/value.ts'
import { compile } from '../../src/action/declare/compile.ts'
import { type ActionIo, type Answered, perform } from '../../src/action/run/perform.ts'
import { ShellHost } from '../../src/shell/shell-host.ts'
import { createRequester } from '../../src/web/request.ts'

export interface Engine {
  readonly cwd: string
  /** Performs an action of this declaration with these values, for real. */
  readonly run: (
    declaration: string,
    values?: Readonly<Record<string, string>>,
    rest?: readonly string[],
  ) => Promise<Answered | Failure>
}

/** The action engine with a real shell and real requests; `variables` are what the document may read. */
export function startEngine(variables: Readonly<Record<string, string>> = {}): Engine {
  const dir = tempDir()
  const cwd = join(dir, 'cwd')
  mkdirSync(cwd)
  const own = { PATH: process.env.PATH ?? '', HOME: cwd, STRING_TEST_RUN: process.env.STRING_TEST_RUN ?? '' }
  const environment = { ...own, LANG: 'C.UTF-8' }
  const shells = new ShellHost({
    environment,
    current: () => environment,
    dataDir: join(dir, 'data'),
    dataId: `test-${process.pid}`,
    port: 1,
    binDir: '/',
    execMs: 60_000,
    waitMs: 60_000,
  })
  const send = createRequester({ ownPort: () => 1 })
  const { signal } = new AbortController()
  const topic = { agentId: 'a', topic: 'main', home: dir }
  const powers = packagePowers(variables)
  return {
    cwd,
    run: async (text, values = {}, rest = []) => {
      const compiled = compiledOf(text)
      if (!compiled.ok) return compiled
      const call = callOf(compiled.declaration.fields, values, rest)
      if (!call.ok) return call
      const prepared = prepare(compiled, call, powers)
      if (!prepared.ok) return prepared
      const exec: ActionIo['exec'] = (run) => shells.exec(topic, { ...run, limitMs: 60_000 })
      const room = { shownBytes: LIMITS.answerBytes, keep: () => ({ where: 'kept', path: null }) }
      const io = { dryRun: '/act.go --dry-run', send, exec, execMs: 60_000, cwd, signal, room, isRead: false }
      return perform(prepared, powers, io)
    },
  }
}

export function compiledOf(text: string): ReturnType<typeof compile> {
  return compile({ id: 'go', part: 'action', content: text, line: 1, start: 0, end: 0 })
}

/** What an installed package may do that has listed these variables. */
export function packagePowers(variables: Readonly<Record<string, string>>): Powers {
  const known = new Map(Object.entries(variables))
  return {
    kind: 'package',
    context: new Map(),
    listed: [],
    home: '/home/agent',
    folder: null,
    beside: null,
    variable: (name) => {
      const value = known.get(name)
      return value === undefined ? fail('ENV_REQUIRED', `$${name} is not set`, 'Set it') : { ok: true, value }
    },
    files: null,
    origin: null,
  }
}

function callOf(
  fields: readonly Parameters<typeof checkValue>[0][],
  given: Readonly<Record<string, string>>,
  rest: readonly string[],
): CallArguments | Failure {
  const values = new Map<string, FieldValue>()
  for (const field of fields) {
    const text = given[field.name]
    const value = text === undefined ? null : checkValue(field, text)
    if (value !== null && !value.ok) return value
    if (value !== null) values.set(field.name, value)
  }
  return { ok: true, values, rest, help: false, dryRun: false }
}

const HOSTILE = [
  "'",
  '"',
  '`',
  '\\',
  '$(touch pwned)',
  '`touch pwned`',
  '; touch pwned #',
  "'; touch pwned; '",
  '"; touch pwned; "',
  '"$(touch pwned)"',
  '&& touch pwned',
  '| touch pwned',
  '\ntouch pwned\n',
  '\nEOF\ntouch pwned\n',
  '\r\n',
  '\r\nX-Injected: 1\r\n\r\n',
  '\t',
  ' ',
  '-x',
  '--help',
  '--',
  '$HOME',
  '$(',
  `$\{HOME}`,
  '$((1+1))',
  'a[$(touch pwned)]',
  '{v}',
  '{a,b}',
  '*',
  '~',
  '!',
  '%',
  '%s%n',
  '%00',
  '%2e%2e',
  '%0d%0a',
  '..',
  '.',
  '/',
  '/../',
  '?a=b&c=d',
  '#',
  '&x=1',
  '+',
  '","admin":true,"x":"',
  '\\"',
  '\\u0022',
  '}',
  '{}',
  'null',
  '</script>',
  '\u2028',
  '\u202e',
  'é',
  '日本',
  '😀',
  '\ufeff',
  '\u0001',
  '\u007f',
  '\u0085',
  '*'.repeat(50),
]

/** Texts made of what breaks things; no NUL and no half characters, which are refused everywhere. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme', maxLength: 8 }), fc.string({ maxLength: 8 })),
    {
      maxLength: 6,
    },
  )
  .map((pieces) => pieces.join('').replaceAll('\0', ''))
  .filter((text) => text.isWellFormed())

/** How often a property is tried; many more before a release. */
export const RUNS = Number(process.env.STRING_TEST_RUNS ?? 15)
