import { LIMITS } from './limits.ts'
import { nearest } from './nearest.ts'
import { type Failure, fail } from './result.ts'
import { quoted } from './text.ts'

export const TOPIC_TYPES = ['tab', 'app', 'bash', 'hub'] as const
export type TopicType = (typeof TOPIC_TYPES)[number]

export interface Topic {
  readonly type: TopicType
  /** The one spelling under which the session is kept. */
  readonly canonical: string
  /** The topic as the caller wrote it, which envelopes echo. */
  readonly written: string
}

export const HUBS = ['app', 'bash', 'tool', 'event', 'system', 'agent'] as const
export type Hub = (typeof HUBS)[number]

export const DEFAULT_TOPIC: Topic = { type: 'tab', canonical: 'main', written: 'main' }

const NAME = /^[A-Za-z0-9_-]+$/
const PREFIXED = /^([a-z]+):([A-Za-z0-9_-]+)(?::([A-Za-z0-9_-]+))?$/

/** A kind of topic as it is written: `PREFIX:NAME`. */
interface PrefixedKind {
  readonly type: TopicType
  /** `PREFIX:NAME:CONFIG` is one too. */
  readonly takesConfig?: true
  /** It is kept under its bare name, unless that belongs to a hub. */
  readonly isBare?: true
}

const PREFIXED_KINDS: ReadonlyMap<string, PrefixedKind> = new Map([
  ['app', { type: 'app', takesConfig: true }],
  ['bash', { type: 'bash' }],
  ['web', { type: 'tab' }],
  ['file', { type: 'tab', isBare: true }],
])

/** What a command begins with, so that it is not taken for text: in a bash topic one slash begins a program's path. */
export const COMMAND_MARKS: Readonly<Record<TopicType, '/' | '//'>> = { tab: '/', app: '/', hub: '/', bash: '//' }

/** Finds the mark of commands in sentences, as they are typed in most topics. */
export function writtenCommands(names: readonly string[]): RegExp {
  return new RegExp(`(?<![^\\s(\`'"])/(?=(?:${names.join('|')})(?![\\w/-]))`, 'g')
}

export function isHub(name: string): name is Hub {
  return (HUBS as readonly string[]).includes(name)
}

/** Reads a topic; missing or empty means `main`, and null comes back for anything that is no topic. */
export function parseTopic(raw: string | null | undefined): Topic | null {
  if (raw === null || raw === undefined || raw === '') return DEFAULT_TOPIC
  if (raw.length > LIMITS.topicChars) return null
  if (NAME.test(raw)) return { type: isHub(raw) ? 'hub' : 'tab', canonical: raw, written: raw }
  return parsePrefixed(raw)
}

/** How topics are written. */
export const TOPIC_FORMS = 'NAME, file:NAME, web:NAME, app:NAME[:CONFIG] or bash:NAME, of letters, digits, _ and -'

/** What is answered to a text that names no topic. */
export function invalidTopic(written: string): Failure {
  return fail('INVALID_TARGET', `Invalid topic: ${quoted(written)}`, ...nearTopic(written), TOPIC_FORMS)
}

/** What stands before a colon may be a slip. */
function nearTopic(written: string): readonly string[] {
  const [, prefix = '', rest = ''] = /^([A-Za-z]+)(:.+)$/s.exec(written) ?? []
  const close = PREFIXED_KINDS.has(prefix) ? null : nearest(prefix, [...PREFIXED_KINDS.keys()])
  const meant = close === null ? null : parseTopic(`${close}${rest}`)
  return meant === null ? [] : [`Did you mean ${meant.written}?`]
}

/** The topic that a reply names: as it was written, unless the command ran in another. */
export function replyTopic(ran: string, written: string): string {
  return written !== '' && parseTopic(written)?.canonical === ran ? written : ran
}

/** The app that a topic belongs to, and which of its configurations; null for other topics. */
export function appOf({ type, canonical }: Pick<Topic, 'type' | 'canonical'>): AppTopic | null {
  if (type !== 'app') return null
  const [, , name = '', config = null] = PREFIXED.exec(canonical) ?? []
  return { name, config }
}

export interface AppTopic {
  readonly name: string
  readonly config: string | null
}

function parsePrefixed(raw: string): Topic | null {
  const [, prefix = '', name = '', config] = PREFIXED.exec(raw) ?? []
  const kind = PREFIXED_KINDS.get(prefix)
  if (kind === undefined || (config !== undefined && kind.takesConfig !== true)) return null
  return { type: kind.type, canonical: kind.isBare === true && !isHub(name) ? name : raw, written: raw }
}
