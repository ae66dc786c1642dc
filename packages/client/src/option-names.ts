import { nearest, quoted } from '@string-os/protocol'
import type { FollowOptions } from './events.ts'
import type {
  AgentFields,
  CancelOptions,
  ChanFlowOptions,
  ClientOptions,
  CompleteOptions,
  ExecOptions,
  LogFilter,
  MoveOptions,
  TurnFilter,
  TurnOptions,
  UsageFilter,
} from './options.ts'
import type { WatchOptions } from './turn-watch.ts'

interface OptionsOf {
  readonly 'new StringClient': ClientOptions
  readonly exec: ExecOptions
  readonly chanflow: ChanFlowOptions
  readonly complete: CompleteOptions
  readonly turn: TurnOptions
  readonly events: FollowOptions
  readonly usage: UsageFilter
  readonly log: LogFilter
  readonly 'agents.register': AgentFields
  readonly 'fleet.move': MoveOptions
  readonly 'sessions.cancel': CancelOptions
  readonly 'turns.list': TurnFilter
  readonly 'turns.watch': WatchOptions
}

/** Every option of every call: one that is missing here does not compile. */
const NAMES: { readonly [Call in keyof OptionsOf]: Readonly<Record<keyof OptionsOf[Call], true>> } = {
  'new StringClient': { port: true, agent: true, key: true, autoStart: true },
  exec: { requestId: true, cwd: true, via: true, signal: true, waitMs: true, cancelOnLeave: true },
  chanflow: { cwd: true, signal: true, cancelOnLeave: true },
  complete: { cwd: true, signal: true },
  turn: { session: true, from: true, attachments: true, requestId: true, signal: true, reopenMs: true },
  events: { signal: true, after: true },
  usage: { by: true, since: true },
  log: { limit: true, before: true, since: true, level: true },
  'agents.register': { home: true, allowedPaths: true, profile: true },
  'fleet.move': { home: true, now: true },
  'sessions.cancel': { all: true },
  'turns.list': { agent: true, session: true, state: true, since: true, limit: true, before: true },
  'turns.watch': { agent: true, signal: true, known: true },
}

/** Types cannot tell a program in JavaScript that a name is misspelt: what it asks for would silently not be done. */
export function known<Call extends keyof OptionsOf, Options extends OptionsOf[Call]>(
  call: Call,
  options: Options,
): Options {
  const names = Object.keys(NAMES[call])
  const wrong = Object.keys(options).find((name) => !names.includes(name))
  if (wrong === undefined) return options
  const close = nearest(wrong, names)
  const hint = close === null ? `it takes ${names.join(', ')}` : `did you mean ${close}?`
  throw new TypeError(`${call}: unknown option ${quoted(wrong)}; ${hint}`)
}
