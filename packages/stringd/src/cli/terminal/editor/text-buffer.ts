import { cellsOf } from '../cells.ts'

interface Moment {
  readonly text: string
  readonly at: number
}

const UNDO_STEPS = 200
/** What a person sees as one character is not longer than this. */
const LONGEST = 100
const WORD = /[\p{L}\p{N}\p{M}_]/u

/** A text that is being typed, and where the cursor stands in it: always between two characters as a person sees them. */
export class TextBuffer {
  #text = ''
  #at = 0
  #killed = ''
  #undo: Moment[] = []
  /** The last change was a typed character: the next one belongs to it. */
  #isTyping = false
  /** The column that going up and down aims at. */
  #column: number | null = null

  get text(): string {
    return this.#text
  }

  get at(): number {
    return this.#at
  }

  get before(): string {
    return this.#text.slice(0, this.#at)
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length
  }

  get isOnFirstLine(): boolean {
    return !this.before.includes('\n')
  }

  get isOnLastLine(): boolean {
    return !this.#text.slice(this.#at).includes('\n')
  }

  set(text: string, at = text.length): void {
    this.#remember(false)
    this.#text = text
    this.#at = at
  }

  clear(): void {
    this.#text = ''
    this.#at = 0
    this.#undo = []
    this.#isTyping = false
  }

  /** Also what was cut out of it. */
  forget(): void {
    this.clear()
    this.#killed = ''
  }

  insert(text: string): void {
    this.#remember(text.length === 1 && text !== ' ')
    this.#text = this.before + text + this.#text.slice(this.#at)
    this.#at += text.length
  }

  /** Puts something in place of what stands from `from` to the cursor. */
  replace(from: number, text: string): void {
    this.#remember(false)
    this.#text = this.#text.slice(0, from) + text + this.#text.slice(this.#at)
    this.#at = from + text.length
  }

  left(): void {
    this.#goTo(this.#stepLeft())
  }

  right(): void {
    this.#goTo(this.#stepRight())
  }

  wordLeft(): void {
    this.#goTo(this.#wordStart())
  }

  wordRight(): void {
    this.#goTo(this.#wordEnd())
  }

  lineStart(): void {
    this.#goTo(this.#startOfLine())
  }

  lineEnd(): void {
    this.#goTo(this.#endOfLine())
  }

  start(): void {
    this.#goTo(0)
  }

  end(): void {
    this.#goTo(this.#text.length)
  }

  up(): void {
    const start = this.#startOfLine()
    if (start > 0) this.#toLine(this.#startOfLine(start - 1))
  }

  down(): void {
    const end = this.#endOfLine()
    if (end < this.#text.length) this.#toLine(end + 1)
  }

  backspace(): void {
    this.#remove(this.#stepLeft(), this.#at)
  }

  delete(): void {
    this.#remove(this.#at, this.#stepRight())
  }

  killWordLeft(): void {
    this.#kill(this.#wordStart(), this.#at)
  }

  /** Back to the blank before, as Ctrl-W does in a shell. */
  killBlankWordLeft(): void {
    const [word = ''] = /\S*\s*$/.exec(this.before.slice(-10_000)) ?? []
    this.#kill(this.#at - word.length, this.#at)
  }

  killWordRight(): void {
    this.#kill(this.#at, this.#wordEnd())
  }

  killLineLeft(): void {
    const start = this.#startOfLine()
    this.#kill(start === this.#at ? Math.max(0, start - 1) : start, this.#at)
  }

  killLineRight(): void {
    const end = this.#endOfLine()
    this.#kill(this.#at, end === this.#at ? Math.min(end + 1, this.#text.length) : end)
  }

  yank(): void {
    if (this.#killed !== '') this.insert(this.#killed)
  }

  undo(): void {
    const before = this.#undo.pop()
    if (before === undefined) return
    this.#text = before.text
    this.#at = before.at
    this.#isTyping = false
  }

  #remember(isTyping: boolean): void {
    if (!(isTyping && this.#isTyping)) this.#undo.push({ text: this.#text, at: this.#at })
    if (this.#undo.length > UNDO_STEPS) this.#undo.shift()
    this.#isTyping = isTyping
    this.#column = null
  }

  #goTo(at: number): void {
    this.#at = at
    this.#isTyping = false
    this.#column = null
  }

  #kill(from: number, to: number): void {
    if (from === to) return
    this.#killed = this.#text.slice(from, to)
    this.#remove(from, to)
  }

  #remove(from: number, to: number): void {
    if (from === to) return
    this.#remember(false)
    this.#text = this.#text.slice(0, from) + this.#text.slice(to)
    this.#at = from
  }

  #toLine(start: number): void {
    const column = this.#column ?? this.#at - this.#startOfLine()
    const line = this.#text.slice(start, this.#endOfLine(start))
    let at = 0
    for (const { length } of cellsOf(line)) {
      if (at + length > column) break
      at += length
    }
    this.#goTo(start + at)
    this.#column = column
  }

  #startOfLine(at = this.#at): number {
    return at === 0 ? 0 : this.#text.lastIndexOf('\n', at - 1) + 1
  }

  #endOfLine(at = this.#at): number {
    const end = this.#text.indexOf('\n', at)
    return end === -1 ? this.#text.length : end
  }

  #stepLeft(): number {
    const start = this.#startOfLine()
    if (start === this.#at) return Math.max(0, start - 1)
    let last = 1
    const near = this.#text.slice(Math.max(start, this.#at - LONGEST), this.#at)
    for (const { length } of cellsOf(near)) last = length
    return this.#at - last
  }

  #stepRight(): number {
    if (this.isAtEnd) return this.#at
    const end = this.#endOfLine()
    if (end === this.#at) return end + 1
    for (const { length } of cellsOf(this.#text.slice(this.#at, Math.min(end, this.#at + LONGEST))))
      return this.#at + length
    return this.#at
  }

  #wordStart(): number {
    let at = this.#at
    while (at > 0 && !WORD.test(this.#text.charAt(at - 1))) at -= 1
    while (at > 0 && WORD.test(this.#text.charAt(at - 1))) at -= 1
    return at
  }

  #wordEnd(): number {
    let at = this.#at
    while (at < this.#text.length && !WORD.test(this.#text.charAt(at))) at += 1
    while (at < this.#text.length && WORD.test(this.#text.charAt(at))) at += 1
    return at
  }
}
