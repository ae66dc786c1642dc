import { LIMITS, type Printed, withoutStyles } from '@string-os/protocol'
import { type BothEnds, firstBytes, headOf, lastBytes, NOTE_BYTES, shortened, tailOf } from '../both-ends.ts'
import { alignedText, joinableText, screenText, styledScreenText } from '../screen/screen-text.ts'
import { firstStyled, lastStyled } from '../screen/styled-lines.ts'
import type { OutputFile } from './output-file.ts'
import type { OutputRoom } from './output-room.ts'

/** How an output becomes text, and how that is cut: its size is that of the plain text either way. */
interface Form {
  readonly shown: (printed: string) => string
  readonly bytes: (text: string) => number
  readonly first: (text: string, limitBytes: number) => string
  readonly last: (text: string, limitBytes: number) => string
}

const PLAIN: Form = { shown: screenText, bytes: (text) => Buffer.byteLength(text), first: firstBytes, last: lastBytes }
const COLUMNS: Form = { ...PLAIN, shown: alignedText }
const STYLED: Form = {
  shown: styledScreenText,
  bytes: (text) => Buffer.byteLength(withoutStyles(text)),
  first: firstStyled,
  last: lastStyled,
}

/** What is shown of a text, and where the whole is when something was left out; null also where that is not kept. */
export type Excerpt = Printed

/** Collects what a command prints: all of it while it is small, then head and tail, and the whole in a file. */
export class Output {
  readonly #file: OutputFile | null
  readonly #room: OutputRoom
  #head: Buffer[] = []
  #tail: Buffer[] = []
  #headBytes = 0
  #tailBytes = 0
  #total = 0
  #isOver = false

  /** `file` is where the whole goes if it gets large; null: nowhere, because it may hold secrets. */
  constructor(file: OutputFile | null, room: OutputRoom) {
    this.#file = file
    this.#room = room
  }

  get isEmpty(): boolean {
    return this.#total === 0
  }

  add(chunk: Buffer): void {
    const limit = this.#room.eachBytes
    const before = this.#headBytes + this.#tailBytes
    if (this.#file?.isBegun === true || this.#total + chunk.length > limit) this.#keep(chunk)
    this.#total += chunk.length
    const half = limit / 2
    const toHead = Math.min(chunk.length, half - this.#headBytes)
    if (toHead > 0) {
      this.#head.push(chunk.subarray(0, toHead))
      this.#headBytes += toHead
    }
    if (toHead < chunk.length) this.#addTail(chunk.subarray(Math.max(0, toHead)), half)
    if (!this.#isOver) this.#room.add(this.#headBytes + this.#tailBytes - before)
  }

  /**
   * What a person would see. Of more than `limitBytes` only both ends are shown, with a line between that says where the
   * whole is. `mask` hides what nobody may see.
   */
  text(limitBytes: number, mask: (text: string) => string = (text) => text): string {
    return this.#text(limitBytes, PLAIN, mask).text
  }

  /** The same, for those who have to know what became of the rest. */
  excerpt(limitBytes: number, mask: (text: string) => string = (text) => text): Excerpt {
    const { text, isCut } = this.#text(limitBytes, PLAIN, mask)
    return { text, isCut, path: isCut ? this.path : null }
  }

  /** The same for a terminal on which it is shown. */
  onTerminal(limitBytes: number): Excerpt {
    const { text, isCut } = this.#text(limitBytes, COLUMNS, (same) => same)
    return { text, isCut, path: isCut ? this.path : null }
  }

  /** The file that holds the whole, once somebody was told of it. */
  get path(): string | null {
    return this.#file?.path ?? null
  }

  /** Of what is all here: with the line end and blanks at its end, so that what comes next can be put behind it. */
  open(isOnTerminal: boolean): string {
    const printed = Buffer.concat([...this.#head, ...this.#tail]).toString()
    return joinableText(printed, isOnTerminal ? alignedText : screenText)
  }

  /** The same with its styles; null where it has none, or so many that they would take more than anybody wants to get. */
  styled(limitBytes: number): string | null {
    if (![...this.#head, ...this.#tail].some((chunk) => chunk.includes('\x1b['))) return null
    const { text } = this.#text(limitBytes, STYLED, (same) => same)
    return text.includes('\x1b') && text.length <= LIMITS.styledChars ? text : null
  }

  #text(limitBytes: number, form: Form, mask: (text: string) => string): Omit<Excerpt, 'path'> {
    if (this.isEmpty) return { text: '', isCut: false }
    const head = Buffer.concat(this.#head)
    const tail = Buffer.concat(this.#tail)
    const isHere = head.length + tail.length === this.#total
    // Working out what a screen shows takes time: a little too much may well fit in the end, more will not.
    if (!isHere || this.#total > 2 * limitBytes)
      return { text: mask(shortened(this.#ends(head, tail, limitBytes, form), this.whereabouts())), isCut: true }
    // Before anything is cut: half of a secret is not recognised by itself.
    const all = mask(form.shown(Buffer.concat([head, tail]).toString()))
    const bytes = form.bytes(all)
    if (bytes <= limitBytes) return { text: all, isCut: false }
    const half = Math.floor((limitBytes - NOTE_BYTES) / 2)
    const ends = cut(form.first(all, half), form.last(all, half), bytes, form)
    return { text: shortened(ends, this.whereabouts()), isCut: true }
  }

  /** Where the whole is, which from now on it is. */
  whereabouts(): string {
    if (this.#file === null) return 'not kept, because it may hold secrets'
    if (!this.#file.isBegun) this.#keep(NOTHING)
    if (this.#isOver) this.#file.close()
    return this.#file.whereabouts
  }

  /** Nothing more comes: whoever has it reads it now. */
  end(): void {
    this.#file?.close()
    if (!this.#isOver) this.#room.add(-this.#headBytes - this.#tailBytes)
    this.#isOver = true
  }

  #ends(head: Buffer, tail: Buffer, limitBytes: number, form: Form): BothEnds {
    const half = Math.floor((limitBytes - NOTE_BYTES) / 2)
    const end = tail.length < half ? Buffer.concat([head, tail]) : tail
    const first = form.first(form.shown(headOf(head, half).toString()), half)
    const last = form.last(form.shown(tailOf(end, half).toString()), half)
    return cut(first, last, this.#total, form)
  }

  #addTail(chunk: Buffer, limit: number): void {
    this.#tail.push(chunk)
    this.#tailBytes += chunk.length
    // Whole chunks are let go, so that the cost does not grow with the number of chunks.
    while (this.#tailBytes - (this.#tail[0]?.length ?? 0) >= limit) this.#tailBytes -= this.#tail.shift()?.length ?? 0
  }

  /** What came before is in memory until the file is begun. */
  #keep(chunk: Buffer): void {
    if (this.#file === null) return
    if (!this.#file.isBegun) for (const piece of [...this.#head, ...this.#tail]) this.#file.write(piece)
    this.#file.write(chunk)
  }
}

function cut(head: string, tail: string, wholeBytes: number, { bytes }: Form): BothEnds {
  return { head, tail, leftBytes: wholeBytes - bytes(head) - bytes(tail) }
}

const NOTHING = Buffer.alloc(0)
