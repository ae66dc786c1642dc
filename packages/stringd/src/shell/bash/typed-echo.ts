import { LIMITS } from '@string-os/protocol'
import { ScreenGrid, type TerminalSize } from '../screen/screen-grid.ts'

/** Where a line is typed. */
export interface TypedPlace {
  /** What stands before it. */
  readonly asked: string
  readonly size: TerminalSize
  /** How a line editor ends a line, which is not how programs do: what is printed for `2` may be another `2`. */
  readonly end: string
  /** The terminal echoes, or did before a line editor came: what is typed is shown first of all, and ends as any line. */
  readonly isEchoed: boolean
  /** What a line editor shows wherever it runs stays: only what it shows because the terminal echoed is left out. */
  readonly isEditorSeen?: boolean
  /** It was sent as it stood, by the key that ends input: no end of a line follows. */
  readonly isOpen?: boolean
}

/** Only what edits a line goes about in it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys begins with one
const EDITED = /\x1b\[\d*[CDGKP@]|\x08/

/**
 * What a terminal prints for the lines that are typed into it, or a program with a line editor of its own: the line, or nothing where
 * that shows none, and the end of it. Whoever typed it has both before them already.
 */
export class TypedEcho {
  readonly #place: TypedPlace
  readonly #open: Buffer
  #texts: readonly string[]
  #grid: ScreenGrid
  #asked: string
  #held: Buffer = NOTHING
  #drawn = 0
  #isOver = false

  constructor(text: string, place: TypedPlace) {
    this.#place = place
    this.#open = Buffer.from(text)
    this.#texts = text.split('\n').map(withoutBlanks)
    this.#asked = withoutBlanks(place.asked)
    // Editors break long lines, and go to columns that they count from the edge.
    this.#grid = new ScreenGrid(place.size)
    this.#grid.write(Buffer.from(place.asked))
  }

  /** What was printed, without that; what may be the beginning of it is held. */
  without(bytes: Buffer): Buffer {
    if (this.#isOver) return bytes
    this.#held = Buffer.concat([this.#held, bytes])
    if (this.#place.isOpen === true) return this.#withoutOpen()
    while (!this.#isOver && this.#takeLine());
    return this.#isOver ? this.rest() : NOTHING
  }

  #withoutOpen(): Buffer {
    const held = this.#held.subarray(0, this.#open.length)
    const isEcho = this.#open.subarray(0, held.length).equals(held)
    if (isEcho && held.length < this.#open.length) return NOTHING
    if (isEcho) this.#held = this.#held.subarray(held.length)
    this.#isOver = true
    return this.rest()
  }

  /** Takes out the first line where it is one that was typed; false: there is none, or more of it must come. */
  #takeLine(): boolean {
    const [text, ...others] = this.#texts
    const end = this.#held.indexOf(10)
    const line = end === -1 ? this.#held : this.#held.subarray(0, end + 1)
    this.#grid.write(line.subarray(this.#drawn))
    this.#drawn = line.length
    const shown = this.#shown()
    const printed = line.toString('latin1')
    const isEdited = EDITED.test(printed)
    const mayBe = isEdited || text?.startsWith(shown) === true
    if (end === -1 && text !== undefined && mayBe && line.length <= LIMITS.typedEchoBytes) return false
    this.#isOver = text === undefined || !this.#isEcho(text, shown, isEdited, printed)
    if (this.#isOver) return false
    this.#held = this.#held.subarray(line.length)
    this.#texts = others
    this.#grid = new ScreenGrid(this.#place.size)
    this.#asked = ''
    this.#drawn = 0
    return true
  }

  #isEcho(text: string, shown: string, isEdited: boolean, printed: string): boolean {
    const { end, isEchoed, isEditorSeen = false } = this.#place
    if (isEditorSeen) return shown === text && !isEdited && printed.endsWith('\r\n') && !printed.endsWith(end)
    if (shown === text && (isEchoed || (isEdited && text !== ''))) return printed.endsWith('\r\n')
    return (shown === '' || shown === text) && printed.endsWith(end)
  }

  #shown(): string {
    const all = withoutBlanks(this.#grid.left().join(''))
    return all.startsWith(this.#asked) ? all.slice(this.#asked.length) : all
  }

  /** What is held: nothing more is waited for then. */
  rest(): Buffer {
    const held = this.#held
    this.#isOver ||= held.length > 0
    this.#held = NOTHING
    return held
  }
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '')
}

const NOTHING: Buffer = Buffer.alloc(0)
