import { unescapeTags } from './chanflow-escape.ts'
import { FenceTracker } from './chanflow-fence.ts'
import { CLOSING_TAG, matchOpeningTag, type OpeningTag } from './chanflow-tag.ts'

export type ChanFlowItem =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'block'; readonly channel: string; readonly topic: string | null; readonly payload: string }
  /** A block without its closing tag: never run, kept as the text it was. */
  | { readonly type: 'unclosed'; readonly channel: string; readonly topic: string | null; readonly text: string }

interface OpenBlock {
  readonly tag: OpeningTag
  readonly source: string
  readonly pieces: string[]
  /** Spaces since the payload's line began, or null once anything else stood on it. */
  indent: number | null
}

interface Utf8Decoder {
  decode(bytes?: Uint8Array, options?: { stream: boolean }): string
}

// A standard global of every runtime, which the plain language library does not declare.
const { TextDecoder } = globalThis as unknown as {
  TextDecoder: new (label: string, options: { ignoreBOM: boolean }) => Utf8Decoder
}

/** Reads text and blocks from a stream that may be cut anywhere, and holds back only what may become a tag. */
export class ChanFlowDecoder {
  readonly #utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #fences = new FenceTracker()
  #held = ''
  #afterBlock = false
  #open: OpenBlock | null = null
  #items: ChanFlowItem[] = []

  push(chunk: string | Uint8Array): ChanFlowItem[] {
    this.#read(typeof chunk === 'string' ? chunk : this.#utf8.decode(chunk, { stream: true }))
    return this.#take()
  }

  /** The stream is over: what was held back is text, and an open block stays unclosed. */
  end(): ChanFlowItem[] {
    this.#read(this.#utf8.decode())
    const rest = this.#held
    this.#held = ''
    if (this.#open !== null) this.#abandon(this.#open, rest)
    else this.#text(rest)
    return this.#take()
  }

  #take(): ChanFlowItem[] {
    const items = this.#items
    this.#items = []
    return items
  }

  #read(chunk: string): void {
    const text = this.#held + chunk
    // The first half of a character says nothing yet: it may be the first half of 𝒞.
    const whole = /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
    let position = 0
    for (let next = -1; position < whole.length; position = next) {
      next = this.#open === null ? this.#readText(whole, position) : this.#readPayload(this.#open, whole, position)
      if (next === position) break
    }
    this.#held = text.slice(position)
  }

  /** Takes a block's opening tag, or text up to the end of the line; the same position back means: wait for more. */
  #readText(text: string, position: number): number {
    const plain = plainLines(text, position)
    if (plain !== '') {
      this.#text(plain)
      return position + plain.length
    }
    const indent = this.#tagIndent()
    if (indent !== null) {
      let at = position
      while (at - position + indent < 3 && text.charAt(at) === ' ') at += 1
      if (at === text.length) return position
      const tag = text.charAt(at) === '<' ? matchOpeningTag(text, at) : null
      if (tag === 'partial') return position
      if (tag !== null && !tag.quoted) {
        this.#text(text.slice(position, at))
        return this.#begin(tag, text, at)
      }
    }
    const lineEnd = text.indexOf('\n', position)
    const next = lineEnd === -1 ? text.length : lineEnd + 1
    this.#text(text.slice(position, next))
    return next
  }

  /** How far the place where we stand is indented, where a tag may stand at all. */
  #tagIndent(): number | null {
    if (this.#fences.inFence) return null
    return this.#afterBlock ? 0 : this.#fences.indent
  }

  #readPayload(open: OpenBlock, text: string, position: number): number {
    for (let at = text.indexOf('<', position); at !== -1; at = text.indexOf('<', at + 1)) {
      if (text.startsWith(CLOSING_TAG, at)) {
        open.pieces.push(text.slice(position, at))
        this.#close(open)
        return at + CLOSING_TAG.length
      }
      const tag = beginsLine(open, text, position, at) ? matchOpeningTag(text, at) : null
      if (tag === 'partial' || CLOSING_TAG.startsWith(text.slice(at, at + CLOSING_TAG.length))) {
        keep(open, text.slice(position, at))
        return at
      }
      if (tag !== null && !tag.quoted) {
        this.#abandon(open, text.slice(position, at))
        return this.#begin(tag, text, at)
      }
    }
    keep(open, text.slice(position))
    return text.length
  }

  #begin(tag: OpeningTag, text: string, at: number): number {
    const end = at + tag.length
    this.#open = { tag, source: text.slice(at, end), pieces: [], indent: null }
    return end
  }

  #close({ tag: { channel, topic }, pieces }: OpenBlock): void {
    this.#items.push({ type: 'block', channel, topic, payload: unescapeTags(trimPayload(pieces.join(''))) })
    this.#open = null
    this.#afterBlock = true
    this.#fences.leaveLineHead()
  }

  #abandon({ tag: { channel, topic }, source, pieces }: OpenBlock, rest: string): void {
    this.#items.push({ type: 'unclosed', channel, topic, text: source + pieces.join('') + rest })
    this.#open = null
  }

  #text(text: string): void {
    if (text === '') return
    this.#fences.advance(text)
    this.#afterBlock = false
    const last = this.#items.at(-1)
    if (last?.type === 'text') this.#items[this.#items.length - 1] = { type: 'text', text: last.text + text }
    else this.#items.push({ type: 'text', text })
  }
}

/** The whole lines from `position` on that come before the next thing that looks like a tag: most text is nothing else. */
function plainLines(text: string, position: number): string {
  const candidate = text.indexOf('<𝒞', position)
  const before = text.slice(position, candidate === -1 ? text.length : candidate)
  return before.slice(0, before.lastIndexOf('\n') + 1)
}

function keep(open: OpenBlock, piece: string): void {
  if (piece === '') return
  open.pieces.push(piece)
  const tail = piece.slice(piece.lastIndexOf('\n') + 1)
  const before = tail.length < piece.length ? 0 : open.indent
  const fits = before !== null && before + tail.length <= 3 && /^ *$/.test(tail)
  open.indent = fits ? before + tail.length : null
}

/** Whether only a line's indentation stands before `at`; of the payload, `text` from `position` on is not yet kept. */
function beginsLine(open: OpenBlock, text: string, position: number, at: number): boolean {
  let start = at
  while (start > position && at - start <= 3 && text.charAt(start - 1) === ' ') start -= 1
  const before = start > position && text.charAt(start - 1) === '\n' ? 0 : start === position ? open.indent : null
  return before !== null && before + (at - start) <= 3
}

/** Less one line end behind the opening tag and one before the closing tag. */
function trimPayload(raw: string): string {
  const leading = raw.startsWith('\n') ? 1 : raw.startsWith('\r\n') ? 2 : 0
  const inner = raw.slice(leading)
  if (!inner.endsWith('\n')) return inner
  // Where the first line end was a bare LF, a CR at the end belongs to the payload.
  return inner.slice(0, leading !== 1 && inner.endsWith('\r\n') ? -2 : -1)
}
