import { isFields, nearest, quoted } from '@string-os/protocol'
import type { ListPart } from './calls.ts'
import type { FollowOptions } from './events.ts'
import type {
  AgentFields,
  AgentListFilter,
  ApprovalFilter,
  ApprovalOptions,
  CancelOptions,
  ChanFlowOptions,
  ClientOptions,
  CompleteOptions,
  ExecOptions,
  InboxFilter,
  LogFilter,
  MoveOptions,
  OutboxFilter,
  OverviewOptions,
  TurnFilter,
  TurnOptions,
  UsageFilter,
} from './options.ts'
import type { WatchOptions } from './turn-watch.ts'
import type { WatchAllOptions } from './watch.ts'

interface OptionsOf {
  readonly 'new StringClient': ClientOptions
  readonly exec: ExecOptions
  readonly chanflow: ChanFlowOptions
  readonly complete: CompleteOptions
  readonly turn: TurnOptions
  readonly events: FollowOptions
  readonly usage: UsageFilter
  readonly log: LogFilter
  readonly overview: OverviewOptions
  readonly 'agents.register': AgentFields
  readonly 'fleet.nodes': ListPart
  readonly 'fleet.move': MoveOptions
  readonly 'sessions.cancel': CancelOptions
  readonly 'turns.list': TurnFilter
  readonly 'turns.watch': WatchOptions
  readonly watch: WatchAllOptions
  readonly 'agents.list': AgentListFilter
  readonly 'agents.sessions': ListPart
  readonly 'sessions.list': ListPart
  readonly 'approvals.list': ApprovalFilter
  readonly 'approvals.answer': ApprovalOptions
  readonly 'inbox.list': InboxFilter
  readonly 'outbox.list': OutboxFilter
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
  overview: { all: true },
  log: { limit: true, before: true, since: true, level: true },
  'agents.register': { home: true, allowedPaths: true, profile: true },
  'fleet.nodes': { limit: true, before: true },
  'fleet.move': { home: true, now: true },
  'sessions.cancel': { all: true },
  'turns.list': { agent: true, session: true, state: true, since: true, limit: true, before: true },
  'turns.watch': { agent: true, signal: true, known: true },
  watch: { since: true, follow: true, signal: true },
  'agents.list': { limit: true, before: true, order: true, state: true, named: true, all: true },
  'agents.sessions': { limit: true, before: true },
  'sessions.list': { limit: true, before: true },
  'approvals.list': { agent: true, turn: true, state: true, limit: true, before: true, after: true },
  'approvals.answer': { note: true, by: true },
  'inbox.list': { agent: true, state: true, limit: true, before: true },
  'outbox.list': { agent: true, state: true, limit: true, before: true },
}

/** Types cannot tell a program in JavaScript that a name is misspelt: what it asks for would silently not be done. */
export function known<Call extends keyof OptionsOf, Options extends OptionsOf[Call]>(
  call: Call,
  options: Options,
): Options {
  const names = Object.keys(NAMES[call])
  if (!isFields(options))
    throw new TypeError(`${call}: its options must be an object, { ${names[0]}: … }, not ${shown(options)}`)
  const wrong = Object.keys(options).find((name) => !names.includes(name))
  if (wrong === undefined) return options
  const close = nearest(wrong, names)
  const hint = close === null ? `it takes ${names.join(', ')}` : `did you mean ${close}?`
  throw new TypeError(`${call}: unknown option ${quoted(wrong)}; ${hint}`)
}

/** What a call cannot do without, by name: JavaScript may leave it out, and would be told so by what breaks on it. */
export function given(call: string, values: Readonly<Record<string, string>>): void {
  const usage = `${call}(${Object.keys(values).join(', ')})`
  for (const [name, value] of Object.entries<unknown>(values))
    if (typeof value !== 'string') throw new TypeError(`${usage}: ${name} must be a string, not ${shown(value)}`)
}

function shown(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : value === null ? 'null' : typeof value
}
