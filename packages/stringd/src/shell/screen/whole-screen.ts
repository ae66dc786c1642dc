import { ScreenGrid, type TerminalSize } from './screen-grid.ts'
import type { ScreenView } from './screen-view.ts'

/**
 * What tells of a program that draws on the whole screen: it asks for a screen of its own (vim, less, htop), or goes home
 * with its cursor hidden (top). What ends that, and which codes its keys send, is told in the same way.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys begins with one
const SIGN = /\x1b\[(?:\?(?:1049|1047|47|25|1)([hl])|(?:1;1)?H)/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const CUT_OFF = /\x1b(?:\[[\d;:?]{0,64})?$/

/** Tells what a program prints line by line from what it draws, of which only the last state counts. */
export class WholeScreen {
  #size: TerminalSize
  #grid: ScreenGrid | null = null
  /** It has a screen of its own, which goes when the program does. */
  #isApart = false
  #isCursorHidden = false
  #held: Buffer = Buffer.alloc(0)
  /** Arrow keys and the like send other codes. */
  hasOwnKeys = false

  constructor(size: TerminalSize) {
    this.#size = size
  }

  resize(size: TerminalSize): void {
    this.#size = size
    this.#grid?.resize(size)
  }

  get isOn(): boolean {
    return this.#grid !== null
  }

  get isCursorHidden(): boolean {
    return this.#isCursorHidden
  }

  /** Null where nothing has the whole screen. */
  view(): ScreenView | null {
    return this.#grid?.view() ?? null
  }

  /** Takes what was printed, and gives back what of it is output. */
  take(chunk: Buffer): Buffer {
    const bytes = Buffer.concat([this.#held, chunk])
    const text = bytes.toString('latin1')
    const [cutOff = ''] = CUT_OFF.exec(text) ?? []
    const end = text.length - cutOff.length
    const printed: Buffer[] = []
    let at = 0
    for (const match of text.slice(0, end).matchAll(SIGN)) {
      printed.push(this.#add(bytes.subarray(at, match.index)))
      at = match.index + match[0].length
      printed.push(...this.#obey(match[0], match[1] === 'h'))
    }
    printed.push(this.#add(bytes.subarray(at, end)))
    this.#held = bytes.subarray(end)
    return Buffer.concat(printed)
  }

  /** Its program is over: what it left on the screen, where that was not its own. */
  end(): Buffer {
    const left = this.#leave()
    this.#isCursorHidden = false
    this.hasOwnKeys = false
    this.#held = Buffer.alloc(0)
    return left
  }

  #add(bytes: Buffer): Buffer {
    if (this.#grid === null) return bytes
    this.#grid.write(bytes)
    return NOTHING
  }

  #obey(sign: string, isOn: boolean): readonly Buffer[] {
    if (sign.endsWith('H')) return this.#home(sign)
    if (sign.includes('?1h') || sign.includes('?1l')) this.hasOwnKeys = isOn
    else if (sign.includes('?25')) {
      this.#isCursorHidden = !isOn
      if (isOn && !this.#isApart) return [this.#leave()]
    } else if (isOn) {
      const left = this.#leave()
      this.#begin(true)
      return [left]
    } else if (this.#isApart) this.#leave()
    return []
  }

  #home(sign: string): readonly Buffer[] {
    if (this.#grid === null && !this.#isCursorHidden) return [Buffer.from(sign)]
    if (this.#grid === null) this.#begin(false)
    this.#grid?.write(Buffer.from(sign))
    return []
  }

  #begin(isApart: boolean): void {
    this.#grid = new ScreenGrid(this.#size)
    this.#isApart = isApart
  }

  #leave(): Buffer {
    const lines = this.#isApart ? [] : (this.#grid?.left() ?? [])
    this.#grid = null
    this.#isApart = false
    return lines.length === 0 ? NOTHING : Buffer.from(`${lines.join('\n')}\n`)
  }
}

const NOTHING = Buffer.alloc(0)
