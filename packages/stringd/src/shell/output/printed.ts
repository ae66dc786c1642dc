import { LIMITS } from '@string-os/protocol'
import { headOf } from '../both-ends.ts'
import { alignedText, joinableText } from '../screen/screen-text.ts'
import { KeptBytes } from './kept-bytes.ts'
import type { Output } from './output.ts'

/** Who says up to where they have read, and how much an answer holds for them. */
export interface PlacedReader {
  readonly seen: string
  readonly bytes: number
  /** What runs waits for them. */
  readonly isPacing: boolean
}

/** What a reader gets. */
export interface Portion {
  readonly output: Output
  /** Up to where that is. */
  readonly place: string
  /** There is more behind it already. */
  readonly isMore: boolean
  /** Of what came before that and after the reader's place, what is not kept any more; null where nothing is missing. */
  readonly missed: Missed | null
  /** The file that holds all that the command of this reader has printed, where that is large. */
  readonly whole: string | null
}

/** How much that is, and the same in words. */
export interface Missed {
  readonly bytes: number
  readonly text: string
}

/** A line that has not ended: most often a program asks something there. */
export interface OpenLine {
  readonly text: string
  /** As a terminal shows it. */
  readonly shown: string
  /** Before it. */
  readonly place: string
}

/**
 * All that a shell prints. Whoever says up to where they have read gets what came after it, whoever else was answered meanwhile;
 * all others share one place, which is where the last answer ended.
 */
export class Printed {
  readonly #name: string
  readonly #newOutput: () => Output
  readonly #kept = new KeptBytes()
  /** What came after the last answer. */
  #shared: Output
  /** What that is most often. */
  readonly #nothing: Output
  /** Of the command that runs, or ran last: where it began, and all that came since, where somebody reads by places. */
  #began = 0
  /** The moment of that. */
  #beganIn = 0
  #command: Output | null = null
  #isCommandOver = true
  /** Where the line that has not ended begins. */
  #line = 0
  /** Counts what has happened: a place tells whether anything has since. */
  #moment = 1
  #lastRead = Number.NEGATIVE_INFINITY

  /** `name` is in its places: one of another shell is before all that this one prints. */
  constructor(name: string, newOutput: () => Output) {
    this.#name = name
    this.#newOutput = newOutput
    this.#shared = newOutput()
    this.#nothing = newOutput()
  }

  /** Where whoever has read all is. */
  get place(): string {
    return this.placeOf(this.#kept.end)
  }

  /** How much that is. */
  get total(): number {
    return this.#kept.end
  }

  /** What is kept of what came after a position, and where that begins. */
  since(position: number): { readonly bytes: Buffer; readonly from: number } {
    const { start, end } = this.#kept
    const from = Math.max(position, start)
    return { bytes: this.#kept.slice(from, end), from }
  }

  positionOf(place: string): number {
    const [name, position] = place.split(':')
    return name === this.#name ? Math.min(Number(position) || 0, this.#kept.end) : 0
  }

  /** Who asks from there on knows what has happened so far. */
  placeOf(position: number): string {
    return `${this.#name}:${position}:${this.#moment}`
  }

  /** Null where all lines have ended. */
  get line(): OpenLine | null {
    const { start, end } = this.#kept
    if (this.#line === end || this.#line < start) return null
    const printed = this.#kept.slice(this.#line, end).toString()
    const text = joinableText(printed)
    const shown = text.includes('\t') ? joinableText(printed, alignedText) : text
    return text.trim() === '' ? null : { text, shown, place: this.placeOf(this.#line) }
  }

  /** Something is typed: whoever looks sees the next line. */
  endLine(): void {
    this.#line = this.#kept.end
  }

  /** A command begins; of one for a reader with a place, the whole is kept in a file where it gets large. */
  begin(isPlaced: boolean): void {
    this.endLine()
    this.#began = this.#kept.end
    this.endCommand()
    this.#beganIn = this.#moment
    this.#command = isPlaced ? this.#newOutput() : null
    this.#isCommandOver = false
  }

  /** Whether a reader has read up to where the last command began, and does not know of it. */
  isBeginningNews(seen: string): boolean {
    const [name, position, moment] = seen.split(':')
    return name === this.#name && Number(position) === this.#began && Number(moment) < this.#beganIn
  }

  endCommand(): void {
    this.#command?.end()
    this.#isCommandOver = true
    this.happens()
  }

  add(bytes: Buffer): void {
    this.#shared.add(bytes)
    if (!this.#isCommandOver) this.#command?.add(bytes)
    const end = bytes.lastIndexOf(10)
    if (end !== -1) this.#line = this.#kept.end + end + 1
    this.#kept.add(bytes)
    this.#breakLine()
    this.#kept.trim(this.#isRead() ? LIMITS.shellReadBytes : LIMITS.shellTailBytes)
    this.happens()
  }

  /** One that goes on for so long is broken, not within a character. */
  #breakLine(): void {
    const { end } = this.#kept
    if (end - this.#line <= LIMITS.openLineBytes) return
    const last = this.#kept.slice(Math.max(this.#line, end - 4), end)
    const begun = last.findLastIndex((byte) => (byte & 0xc0) !== 0x80)
    const isWhole = begun === -1 || (last[begun] ?? 0) < 0x80
    this.#line = isWhole ? end : end - last.length + begun
  }

  /** Something that whoever waits with a place is answered for. */
  happens(): void {
    this.#moment += 1
  }

  /** Whether there is something that a reader does not know; `isOver`: nothing runs. */
  isNews(seen: string, isOver: boolean): boolean {
    const [name, position, moment] = seen.split(':')
    if (name !== this.#name) return true
    // A place of before there were moments: it does not tell whether the end is known.
    if (moment === undefined) return isOver || Number(position) !== this.#kept.end
    return Number(moment) !== this.#moment
  }

  /** What came after the last answer, which this one is then. */
  take(): Portion {
    const output = this.#shared.isEmpty ? this.#nothing : this.#shared
    if (output !== this.#nothing) this.#shared = this.#newOutput()
    output.end()
    return { output, place: this.place, isMore: false, missed: null, whole: null }
  }

  /** Somebody reads by places: more is kept for a while. */
  expectReader(): void {
    this.#lastRead = performance.now()
  }

  /** What came after a place, as much as an answer holds. */
  read({ seen, bytes: limit }: PlacedReader): Portion {
    this.expectReader()
    const { start, end } = this.#kept
    const position = this.positionOf(seen)
    // Who has been outrun goes on near the end: from the very first byte on they would be outrun again at once.
    const from = position < start ? this.#lineFrom(Math.max(start, end - limit)) : position
    const output = this.#newOutput()
    const portion = this.#portionFrom(from, limit)
    output.add(portion)
    output.end()
    // Whoever was behind has had the time of this wait.
    if (portion.length === 0) this.#kept.trim(LIMITS.shellTailBytes)
    const to = from + portion.length
    const isMore = to < end
    const missed = from === position ? null : this.#missed(position, from)
    const whole = position >= this.#began ? (this.#command?.path ?? null) : null
    return { output, missed, whole, isMore, place: isMore ? `${this.#name}:${to}:0` : this.place }
  }

  end(): void {
    this.#shared.end()
    this.endCommand()
  }

  #isRead(): boolean {
    return performance.now() - this.#lastRead < LIMITS.shellReaderMs
  }

  /** So much that it fits as it is shown, whole lines where there are any. */
  #portionFrom(from: number, limit: number): Buffer {
    const all = this.#kept.slice(from, Math.min(this.#kept.end, from + limit + 1))
    let portion = wholeLines(all, limit)
    // A tab is up to eight blanks.
    while (portion.length > limit / 8 && Buffer.byteLength(alignedText(portion.toString())) > limit)
      portion = wholeLines(portion, Math.floor(portion.length / 2))
    return portion
  }

  /** The first line that begins there or behind it, where one does soon. */
  #lineFrom(position: number): number {
    const soon = this.#kept.slice(position, Math.min(this.#kept.end, position + LIMITS.openLineBytes))
    return position + soon.indexOf(10) + 1
  }

  #missed(position: number, from: number): Missed {
    const isInCommand = this.#command !== null && position >= this.#began
    const where = isInCommand ? `; ${this.#command?.whereabouts()}` : ''
    const bytes = from - position
    return { bytes, text: `${bytes} bytes before this are not kept any more${where}` }
  }
}

/** The line end belongs to it: what follows begins with a line. */
function wholeLines(bytes: Buffer, limit: number): Buffer {
  const head = headOf(bytes, limit)
  return bytes[head.length] === 10 ? bytes.subarray(0, head.length + 1) : head
}
