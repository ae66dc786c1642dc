/** The head of a request, read from the bytes in which it came. */
export interface PlainHead {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Names and values by turns, as they were sent. */
  readonly rawHeaders: readonly string[]
  /** Of the head itself, with the empty line behind it. */
  readonly headBytes: number
  readonly bodyBytes: number
}

const REQUEST_LINE = /^(GET|POST|DELETE) (\/[\x21-\x7e]*) HTTP\/1\.1$/
const HEADER_LINE = /^([A-Za-z0-9-]+): ?([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/
const LENGTH = /^(?:0|[1-9]\d{0,9})$/

/** Names that say nothing about where a request ends, or how its connection goes on. */
const KNOWN_NAMES: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'origin',
  'pragma',
  'referer',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'user-agent',
])

/**
 * Reads a head that is written as nearly every program writes it. Null says nothing about it but that: what is unusual,
 * incomplete or wrong is for the parser that knows all of HTTP.
 */
export function readPlainHead(text: string): PlainHead | null {
  const lines = text.split('\r\n')
  const [, method = '', url = ''] = REQUEST_LINE.exec(lines[0] ?? '') ?? []
  if (method === '') return null
  const headers = Object.create(null) as Record<string, string>
  const rawHeaders: string[] = []
  for (let index = 1; index < lines.length; index += 1) {
    const [, sent = '', value = ''] = HEADER_LINE.exec(lines[index] ?? '') ?? []
    const name = sent.toLowerCase()
    // One that comes twice means what its own rules say.
    if (headers[name] !== undefined || !isPlain(name, value)) return null
    headers[name] = value
    rawHeaders.push(sent, value)
  }
  const length = headers['content-length'] ?? '0'
  if (!LENGTH.test(length)) return null
  return { method, url, headers, rawHeaders, headBytes: text.length + END_BYTES, bodyBytes: Number(length) }
}

/** Of the empty line behind a head. */
const END_BYTES = 4

function isPlain(name: string, value: string): boolean {
  if (name === 'connection') return value === 'keep-alive' || value === 'close'
  return KNOWN_NAMES.has(name) || name.startsWith('x-') || name.startsWith('mcp-')
}
