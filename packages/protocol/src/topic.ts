import { LIMITS } from './limits.ts'
import { type Failure, fail } from './result.ts'
import { quoted } from './text.ts'

export type TopicType = 'tab' | 'app' | 'bash' | 'hub'

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
const PREFIXED = /^(file|web|app|bash):([A-Za-z0-9_-]+)(?::([A-Za-z0-9_-]+))?$/

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

/** What is answered to a text that names no topic. */
export function invalidTopic(written: string): Failure {
  return fail(
    'INVALID_TARGET',
    `Invalid topic: ${quoted(written)}`,
    'NAME, file:NAME, web:NAME, app:NAME[:CONFIG] or bash:NAME, of letters, digits, _ and -',
  )
}

/** The topic that a reply names: as it was written, unless the command ran in another. */
export function replyTopic(ran: string, written: string): string {
  return written !== '' && parseTopic(written)?.canonical === ran ? written : ran
}

function parsePrefixed(raw: string): Topic | null {
  const [, prefix, name = '', config] = PREFIXED.exec(raw) ?? []
  switch (prefix) {
    case 'app':
      return { type: 'app', canonical: raw, written: raw }
    case 'bash':
      return config === undefined ? { type: 'bash', canonical: raw, written: raw } : null
    case 'web':
      return config === undefined ? { type: 'tab', canonical: raw, written: raw } : null
    case 'file':
      // `file:app` is a tab too, but its bare name belongs to the hub.
      return config === undefined ? { type: 'tab', canonical: isHub(name) ? raw : name, written: raw } : null
    default:
      return null
  }
}
