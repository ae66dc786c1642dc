import { LIMITS } from './limits.ts'

export const CLOSING_TAG = '</𝒞>'

const FIRST_UNIT = '𝒞'.charCodeAt(0)

const CHANNEL = '[a-z][a-z0-9_-]*'
const TOPIC = '[^\\s\\p{Cc}<>"𝒞]*'
const NAME = '[A-Za-z_][A-Za-z0-9_-]*'
const TOKEN = '[^\\s\\p{Cc}<>"]+'
const ATTRIBUTE = ` ${NAME}=(?:"[^"\\p{Cc}]*"|${TOKEN})`

const WHOLE = new RegExp(`^<𝒞=(${CHANNEL})(?::(${TOPIC}))?((?:${ATTRIBUTE})*)>`, 'u')
// Everything that more text could still turn into a tag, from a lone `<` to an attribute without its closing quote.
const BEGUN = new RegExp(
  `^<(?:𝒞(?:=(?:${CHANNEL}(?::${TOPIC})?(?:${ATTRIBUTE})*(?: (?:${NAME}(?:=(?:"[^"\\p{Cc}]*|${TOKEN})?)?)?)?)?)?)?$`,
  'u',
)

const VALID_CHANNEL = new RegExp(`^${CHANNEL}$`, 'u')
const VALID_TOPIC = new RegExp(`^${TOPIC}$`, 'u')

export interface OpeningTag {
  readonly channel: string
  /** Null when the tag names none. */
  readonly topic: string | null
  /** A tag with attributes is a quoted reply: text, never a command. */
  readonly quoted: boolean
  readonly length: number
}

/** Looks for an opening tag at `index`. `partial` means that the text ends before this can be known. */
export function matchOpeningTag(text: string, index: number): OpeningTag | 'partial' | null {
  // Most that begins like a tag is none, and shows it with its second character.
  if (index + 1 < text.length && text.charCodeAt(index + 1) !== FIRST_UNIT) return null
  const slice = text.slice(index, index + LIMITS.chanFlowTagChars)
  const match = WHOLE.exec(slice)
  if (match !== null) {
    const [source, channel = '', topic = '', attributes = ''] = match
    return { channel, topic: topic === '' ? null : topic, quoted: attributes !== '', length: source.length }
  }
  return slice.length < LIMITS.chanFlowTagChars && BEGUN.test(slice) ? 'partial' : null
}

/** Writes an opening tag; a channel or topic that the grammar cannot hold is a fault of the caller. */
export function openingTag(
  channel: string,
  topic: string | null,
  attributes: Readonly<Record<string, string>>,
): string {
  if (!VALID_CHANNEL.test(channel) || !VALID_TOPIC.test(topic ?? '')) {
    throw new TypeError(`Not a ChanFlow channel and topic: ${channel}:${topic}`)
  }
  const rest = Object.entries(attributes).map(([name, value]) => ` ${name}=${attributeValue(value)}`)
  return `<𝒞=${channel}${topic === null ? '' : `:${topic}`}${rest.join('')}>`
}

function attributeValue(value: string): string {
  return /^[A-Za-z0-9_-]+$/.test(value) ? value : `"${value.replace(/["\p{Cc}]/gu, '')}"`
}
