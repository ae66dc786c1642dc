export interface SseEvent {
  readonly event: string
  readonly data: string
  /** Null when the stream has given no id so far. */
  readonly id: string | null
}

// JSON leaves these as they are, and some readers take them for line ends.
const ODD_LINE_END = /[\u0085\u2028\u2029]/

/** One event; `data` is encoded as JSON and so always stands on one line. */
export function encodeSse(event: string, data: unknown, id?: string): string {
  const json = JSON.stringify(data)
  const line = ODD_LINE_END.test(json) ? json.replace(new RegExp(ODD_LINE_END, 'g'), escapeCharacter) : json
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${line}\n\n`
}

/** A line that a reader skips; it keeps a silent connection open. */
export const SSE_COMMENT = ':\n\n'

/** Reads a stream of events from text that may be cut anywhere. An event that is not ended by an empty line is dropped. */
export class SseParser {
  #pending = ''
  #lastWasReturn = false
  #event = ''
  #data: string[] = []
  #id: string | null = null
  #started = false

  push(chunk: string): SseEvent[] {
    if (chunk === '') return []
    const events: SseEvent[] = []
    let text = this.#begin(chunk)
    // A CR that ended the last chunk already ended its line; the LF that belongs to it must not end another.
    if (this.#lastWasReturn && text.startsWith('\n')) text = text.slice(1)
    const lines = text.split(/\r\n|\n|\r/)
    this.#lastWasReturn = text.endsWith('\r')
    lines[0] = this.#pending + (lines[0] ?? '')
    this.#pending = lines.pop() ?? ''
    for (const line of lines) {
      const event = this.#line(line)
      if (event !== null) events.push(event)
    }
    return events
  }

  #begin(chunk: string): string {
    if (this.#started) return chunk
    this.#started = true
    return chunk.startsWith('\ufeff') ? chunk.slice(1) : chunk
  }

  #line(line: string): SseEvent | null {
    if (line === '') return this.#dispatch()
    const colon = line.indexOf(':')
    if (colon === 0) return null
    const field = colon === -1 ? line : line.slice(0, colon)
    const rest = colon === -1 ? '' : line.slice(colon + 1)
    const value = rest.startsWith(' ') ? rest.slice(1) : rest
    if (field === 'event') this.#event = value
    else if (field === 'data') this.#data.push(value)
    else if (field === 'id' && !value.includes('\0')) this.#id = value
    return null
  }

  #dispatch(): SseEvent | null {
    const event = { event: this.#event === '' ? 'message' : this.#event, data: this.#data.join('\n'), id: this.#id }
    const complete = this.#data.length > 0
    this.#event = ''
    this.#data = []
    return complete ? event : null
  }
}

/** Reads a whole stream that is at hand as text. */
export function parseSse(text: string): SseEvent[] {
  return new SseParser().push(text)
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
