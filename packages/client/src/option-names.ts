import {
  AGENT_FILTERS,
  AGENT_ORDERS,
  APPROVAL_ANSWERS,
  APPROVAL_STATES,
  DELIVERY_STATES,
  isFields,
  LOG_LEVELS,
  nearest,
  quoted,
  TURN_STATES,
  USAGE_GROUPS,
} from '@string-os/protocol'
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
  DaemonAddress,
  ExecOptions,
  FollowTurnOptions,
  InboxFilter,
  LogFilter,
  MoveOptions,
  OutboxFilter,
  OverviewOptions,
  PageOptions,
  RunOptions,
  TurnFilter,
  TurnOptions,
  UsageFilter,
} from './options.ts'
import type { WatchOptions } from './turn-watch.ts'
import type { WatchAllOptions } from './watch.ts'

interface OptionsOf {
  readonly 'new StringClient': ClientOptions
  readonly 'StringClient in a page': PageOptions
  readonly exec: ExecOptions
  readonly run: RunOptions
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
  readonly 'turns.follow': FollowTurnOptions
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

/** What takes longer is asked for again, as `run` does. */
const MOST_WAIT_MS = 30_000

/** What an option may be; `isOne` is asked of every value but a missing one. */
const KINDS = {
  text: { isOne: (value: unknown) => typeof value === 'string', named: 'a string' },
  agent: { isOne: (value: unknown) => typeof value === 'string' && value !== '', named: 'the id of an agent' },
  number: { isOne: (value: unknown) => Number.isFinite(value), named: 'a number' },
  wait: { isOne: (value: unknown) => isWhole(value, MOST_WAIT_MS), named: `a whole number from 1 to ${MOST_WAIT_MS}` },
  port: { isOne: (value: unknown) => isWhole(value, 65_535), named: 'a whole number from 1 to 65535' },
  address: {
    isOne: (value: unknown) => typeof value === 'string' && /^(?:https?:\/\/.|\/|$)/.test(value),
    named: 'an address, such as http://127.0.0.1:3923',
  },
  flag: { isOne: (value: unknown) => typeof value === 'boolean', named: 'true or false' },
  time: {
    isOne: (value: unknown) => typeof value === 'string' || (value instanceof Date && Number.isFinite(value.getTime())),
    named: 'a Date, or a time as text',
  },
  event: {
    isOne: (value: unknown) => typeof value === 'string' && /^evt_[0-9a-z]{26}$/.test(value),
    named: 'the id of an event, evt_ and 26 characters (`inbox.list()` has them)',
  },
  fields: { isOne: isFields, named: 'an object' },
  list: { isOne: Array.isArray, named: 'a list' },
  paths: {
    isOne: (value: unknown) => Array.isArray(value) && value.every((path) => typeof path === 'string'),
    named: 'a list of paths',
  },
  function: { isOne: (value: unknown) => typeof value === 'function', named: 'a function' },
  signal: { isOne: (value: unknown) => isFields(value) && 'aborted' in value, named: 'an AbortSignal' },
  count: { isOne: (value: unknown) => isWhole(value, Number.MAX_SAFE_INTEGER), named: 'a whole number from 1' },
  turnState: oneOf(TURN_STATES),
  approvalState: oneOf(APPROVAL_STATES),
  eventState: oneOf(['pending', 'acked']),
  deliveryState: oneOf(DELIVERY_STATES),
  agentState: oneOf(AGENT_FILTERS),
  agentOrder: oneOf(AGENT_ORDERS),
  usageGroup: oneOf(USAGE_GROUPS),
  level: oneOf(LOG_LEVELS),
  any: { isOne: () => true, named: 'anything' },
} as const

interface Words {
  readonly isOne: (value: unknown) => boolean
  readonly named: string
  readonly words: readonly string[]
}

function oneOf(words: readonly string[]): Words {
  return { isOne: (value) => words.includes(String(value)), named: `one of ${words.join(', ')}`, words }
}

type Kind = keyof typeof KINDS

/** Whoever gives the text of one does not see what is wrong with it. */
const NUMBERS: readonly Kind[] = ['number', 'count', 'port', 'wait']

/** Every option may be said not to be given: a type in which one takes no `undefined` has no row that compiles. */
type KindsOf<Options> = Readonly<Record<keyof Options, Record<keyof Options, undefined> extends Options ? Kind : never>>

/** Every option of every call, and what it is: one that is missing here does not compile. */
const OPTIONS: { readonly [Call in keyof OptionsOf]: KindsOf<OptionsOf[Call]> } = {
  'new StringClient': { port: 'port', agent: 'agent', create: 'flag', key: 'text', autoStart: 'function' },
  'StringClient in a page': { baseUrl: 'address', agent: 'agent' },
  exec: {
    requestId: 'text',
    cwd: 'text',
    via: 'text',
    signal: 'signal',
    waitMs: 'wait',
    seen: 'text',
    atPrompt: 'flag',
    styles: 'flag',
    drawn: 'text',
    pagers: 'fields',
    cancelOnLeave: 'flag',
  },
  run: { cwd: 'text', signal: 'signal', goesOn: 'flag', onOutput: 'function' },
  chanflow: { cwd: 'text', signal: 'signal', cancelOnLeave: 'flag' },
  complete: { cwd: 'text', signal: 'signal' },
  turn: {
    session: 'text',
    from: 'text',
    attachments: 'list',
    requestId: 'text',
    signal: 'signal',
    reopenMs: 'number',
    onLost: 'function',
  },
  events: { signal: 'signal', after: 'event', waits: 'flag', onLost: 'function' },
  usage: { by: 'usageGroup', since: 'time' },
  overview: { all: 'flag' },
  log: { limit: 'count', before: 'time', since: 'time', level: 'level' },
  'agents.register': { home: 'text', allowedPaths: 'paths', profile: 'text' },
  'fleet.nodes': { limit: 'count', before: 'text' },
  'fleet.move': { home: 'text', now: 'flag' },
  'sessions.cancel': { all: 'flag' },
  'turns.list': {
    agent: 'text',
    session: 'text',
    state: 'turnState',
    since: 'time',
    again: 'flag',
    limit: 'count',
    before: 'text',
  },
  'turns.follow': { signal: 'signal', reopenMs: 'number', onLost: 'function' },
  'turns.watch': { agent: 'text', signal: 'signal', known: 'list', waits: 'flag', onLost: 'function' },
  watch: { since: 'number', follow: 'any', signal: 'signal', waits: 'flag' },
  'agents.list': {
    limit: 'count',
    before: 'text',
    order: 'agentOrder',
    state: 'agentState',
    named: 'text',
    all: 'flag',
  },
  'agents.sessions': { limit: 'count', before: 'text' },
  'sessions.list': { limit: 'count', before: 'text' },
  'approvals.list': {
    agent: 'text',
    turn: 'text',
    state: 'approvalState',
    limit: 'count',
    before: 'text',
    after: 'text',
  },
  'approvals.answer': { note: 'text', by: 'text' },
  'inbox.list': { agent: 'text', state: 'eventState', limit: 'count', before: 'text' },
  'outbox.list': { agent: 'text', state: 'deliveryState', limit: 'count', before: 'text' },
}

/** Types cannot tell a program in JavaScript that a name is misspelt, or what a value is: what it asks for would silently not be done. */
export function known<Call extends keyof OptionsOf, Options extends OptionsOf[Call]>(
  call: Call,
  options: Options,
): Options {
  const kinds: ReadonlyMap<string, Kind> = new Map(Object.entries<Kind>(OPTIONS[call]))
  const names = [...kinds.keys()]
  if (!isFields(options))
    throw new TypeError(`${call}: its options must be an object, { ${names[0]}: … }, not ${shown(options)}`)
  for (const [name, value] of Object.entries(options)) {
    const kind = kinds.get(name)
    if (kind === undefined) throw new TypeError(`${call}: unknown option ${quoted(name)}; ${meant(name, names)}`)
    if (value !== undefined && !KINDS[kind].isOne(value))
      throw new TypeError(
        `${call}: ${name} must be ${KINDS[kind].named}, not ${NUMBERS.includes(kind) ? exact(value) : shown(value)}${close(kind, value)}`,
      )
  }
  return options
}

/** What was meant by a word that is none of them. */
function close(kind: Kind, value: unknown): string {
  const known: object = KINDS[kind]
  const word = 'words' in known && typeof value === 'string' ? nearest(value, (known as Words).words) : null
  return word === null ? '' : `; did you mean ${word}?`
}

/** The answer to a question, which JavaScript may spell otherwise. */
export function givenAnswer(call: string, answer: string): void {
  const { isOne, named } = oneOf(APPROVAL_ANSWERS)
  if (!isOne(answer)) throw new TypeError(`${call}: answer must be ${named}, not ${shown(answer)}`)
}

const BY_ADDRESS = 'baseUrl says where the daemon is, http://127.0.0.1:3923'

/** What a client on Node has, or would have. */
const NOT_IN_PAGE: Readonly<Record<string, string | undefined>> = {
  port: BY_ADDRESS,
  host: BY_ADDRESS,
  hostname: BY_ADDRESS,
  url: BY_ADDRESS,
  autoStart: 'a page starts no daemon: `string start` does',
  create: 'a page makes an agent with agents.register(id)',
  key: 'a page has no key: STRING_ALLOW_ORIGINS lets it in',
}

function meant(name: string, names: readonly string[]): string {
  if (names.includes('signal') && /^timeout/i.test(name))
    return 'signal: AbortSignal.timeout(ms) ends it after that time'
  const inPage = names.includes('baseUrl') ? NOT_IN_PAGE[name] : undefined
  if (inPage !== undefined) return inPage
  if (names.includes('port') && /^(host|hostname|url|baseUrl)$/.test(name))
    return 'the daemon listens on 127.0.0.1 alone: port says where'
  if (Object.hasOwn(OPTIONS['new StringClient'], name)) return `it belongs to the client: new StringClient({ ${name} })`
  const close = nearest(name, names)
  return close === null ? `it takes ${names.join(', ')}` : `did you mean ${close}?`
}

/** What `autoStart` gives comes from a program, too. */
export function isAddress(value: unknown): value is DaemonAddress {
  if (!isFields(value)) return false
  return KINDS.port.isOne(value.port) && (value.key === undefined || KINDS.text.isOne(value.key))
}

function isWhole(value: unknown, most: number): boolean {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= most
}

/** What a call cannot do without, by name: JavaScript may leave it out, and would be told so by what breaks on it. */
export function given(call: string, values: Readonly<Record<string, string>>): void {
  const names = Object.keys(values)
  const usage = `${call}(${names.join(', ')})`
  const { topic } = values
  if (typeof topic === 'string' && topic.startsWith('/'))
    throw new TypeError(`${usage}: ${quoted(topic)} is a command, and the topic comes first: ${call}('main', …)`)
  for (const [name, value] of Object.entries<unknown>(values)) {
    if (typeof value === 'string') continue
    const order = isFields(value) ? `; options come behind: ${call}(${[...names, '{ … }'].join(', ')})` : ''
    throw new TypeError(`${usage}: ${name} must be a string, not ${shown(value)}${order}`)
  }
}

/** A command to its end needs a shell that goes on without its caller, and a line that is none of String's own. */
export function givenShell(topic: string, command: string): void {
  given('run', { topic, command })
  if (!topic.startsWith('bash:'))
    throw new TypeError(`run(topic, command): ${quoted(topic)} has no shell; name a topic bash:NAME`)
  if (command.trim() === '') throw new TypeError('run(topic, command): command must be a shell command, not empty')
  if (command.startsWith('//'))
    throw new TypeError(`run(topic, command): ${quoted(command)} is no shell command: exec(topic, command) runs it`)
}

function exact(value: unknown): string {
  return typeof value === 'string' ? `"${quoted(value)}" (a string)` : shown(value)
}

function shown(value: unknown): string {
  if (value === '') return 'empty'
  if (typeof value === 'string') return quoted(value)
  if (value instanceof Date) return String(value)
  if (typeof value === 'number') return String(value)
  return value === null ? 'null' : typeof value
}
