import { encodeSse, LIMITS } from '@string-os/protocol'

/** Where in the text of a turn: in which of its runs, and behind how many bytes of UTF-8. */
export interface TextPlace {
  readonly run: number
  readonly bytes: number
}

/** Something that a turn said. */
export interface Said {
  readonly turnId: string
  readonly run: number
  readonly offset: number
  readonly text: string
}

/** A piece of the text of a turn. */
export interface TextPiece {
  readonly run: number
  readonly offset: number
  readonly end: number
  readonly text: string
}

interface Collected extends Omit<TextPiece, 'text'> {
  end: number
  readonly parts: string[]
}

/** What turns have said since the last look, joined; of very much the beginning goes, which its readers see by the offset. */
export class PendingText {
  readonly #byTurn = new Map<string, Collected[]>()

  get isEmpty(): boolean {
    return this.#byTurn.size === 0
  }

  add({ turnId, run, offset, text }: Said): void {
    const pieces = this.#byTurn.get(turnId) ?? []
    const end = offset + Buffer.byteLength(text)
    const last = pieces.at(-1)
    const isNext = last !== undefined && last.run === run && last.end === offset
    if (isNext && end - last.offset <= LIMITS.watchTextBytes) {
      last.parts.push(text)
      last.end = end
    } else {
      pieces.push({ run, offset, end, parts: [text] })
    }
    if (pieces.length > 2) pieces.shift()
    this.#byTurn.set(turnId, pieces)
  }

  /** All of it, which is not kept any longer. */
  take(): ReadonlyMap<string, readonly TextPiece[]> {
    const taken = new Map<string, readonly TextPiece[]>()
    for (const [turnId, pieces] of this.#byTurn)
      taken.set(
        turnId,
        pieces.map(({ parts, ...piece }) => ({ ...piece, text: parts.join('') })),
      )
    this.#byTurn.clear()
    return taken
  }
}

/** What is new of a piece for somebody who has the text up to a place; null: nothing. */
export function newText(
  { run, offset, end, text }: TextPiece,
  known: TextPlace,
): { offset: number; text: string } | null {
  if (run !== known.run || offset >= known.bytes) return { offset, text }
  if (end <= known.bytes) return null
  const rest = Buffer.from(text).subarray(known.bytes - offset)
  return { offset: known.bytes, text: rest.toString('utf8') }
}

export function textFrame(turnId: string, offset: number, text: string): Buffer {
  return Buffer.from(encodeSse('text', { turn_id: turnId, offset, text }))
}
