import { withoutStyles } from '@string-os/protocol'
import { fitText, widthOf } from '../cells.ts'
import type { SpinnerPlace } from '../spinner.ts'
import { type Paint, paint } from '../styled-text.ts'
import type { Frame } from './layout.ts'
import { Screen, type TerminalOutput } from './screen.ts'

/** How something looks in a window: at most so many rows. */
export type Drawing = (width: number, height: number) => Frame

/** The end of what was printed, which may still change. */
export interface OpenPart {
  readonly drawing: Drawing
  /** What stays of it when something else is written below. */
  readonly text: string
}

/** Lines that were printed last: so many rows at a width, and whether they only help who reads the others. */
interface Above {
  readonly rows: number
  readonly width: number
  readonly isHint: boolean
}

/**
 * The lower end of a terminal: what still changes, and below it what a person types. Whoever writes there while it is in use
 * writes through it, so that neither ever stands in the other.
 */
export class Stage {
  readonly #output: TerminalOutput
  readonly #paint: Paint
  readonly #screen: Screen
  #live: Drawing | null = null
  #typed: Drawing | null = null
  #part: OpenPart | null = null
  /** What stands directly above, newest last, since something was typed. */
  #above: Above[] = []

  constructor(output: TerminalOutput, style: Paint) {
    this.#output = output
    this.#paint = style
    this.#screen = new Screen(output, style)
  }

  get width(): number {
    return this.#screen.width
  }

  get height(): number {
    return this.#screen.height
  }

  get hasColor(): boolean {
    return this.#paint.color
  }

  /** One line that changes, for a sign that something goes on. */
  get spinnerPlace(): SpinnerPlace {
    return {
      show: (text) =>
        this.show((width) => {
          const shown = fitText(text, width - 1)
          return { rows: [[{ text: shown }]], cursor: { row: 0, column: 0 } }
        }),
      clear: () => this.show(null),
    }
  }

  /** What is not complete yet. */
  show(live: Drawing | null): void {
    this.#live = live
    this.redraw()
  }

  /** What is being typed. */
  type(typed: Drawing | null): void {
    if (typed === null && this.#typed === null) return
    this.#typed = typed
    this.redraw()
  }

  /** Whole lines, above both. */
  print(text: string, isHint = false): void {
    const { width } = this
    this.#write(() => this.#output.write(`${text}\n`))
    this.#above = [...this.#above.slice(-this.height), { rows: rowsOf(text, width), width, isHint }]
  }

  /** Whole lines of somebody who writes them elsewhere, where the same terminal may show them. */
  aside(write: () => void): void {
    this.#write(write)
    this.#above = []
  }

  #write(write: () => void): void {
    this.#screen.erase()
    write()
    this.redraw()
  }

  /**
   * What was printed has changed: so many of its last rows are not so any more, these lines stay, and below them is what may change
   * again. Rows that are not there any more, or below which something was typed, stay as they are.
   */
  change(change: { readonly back: number; readonly text: string; readonly part: OpenPart | null }): void {
    const { back, text, part } = change
    const rows = this.#takeBack(back)
    if (rows > 0) this.#write(() => this.#output.write(`\x1b[${rows}A\r\x1b[J`))
    this.#part = part
    this.#live = part?.drawing ?? null
    if (text === '') this.redraw()
    else this.print(text)
  }

  /** How many rows those are that can be written anew. */
  #takeBack(count: number): number {
    const room = this.height - Math.max(1, this.#frame()?.rows.length ?? 0)
    let wanted = count
    let rows = 0
    for (let last = this.#above.at(-1); wanted > 0 && last !== undefined; last = this.#above.at(-1)) {
      const { width, isHint } = last
      const taken = isHint ? last.rows : Math.min(wanted, last.rows)
      if (width !== this.width || rows + taken > room) break
      this.#above.pop()
      if (taken < last.rows) this.#above.push({ ...last, rows: last.rows - taken })
      rows += taken
      if (!isHint) wanted -= taken
    }
    return rows
  }

  /** What may still change stays as it is. */
  settleOpen(): void {
    const part = this.#part
    if (part === null) return
    this.#part = null
    this.#live = null
    this.print(part.text)
  }

  /** What was shown is complete, and stays as this text. */
  settle(text: string): void {
    const isThere = this.#typed === null && text === this.#liveText()
    this.#live = null
    // What stands there already need not be written a second time.
    if (!isThere) return this.print(text)
    this.#output.write('\n')
    this.#screen.forget()
  }

  /** What was typed stays as it looks. */
  enter(typed: Drawing): void {
    this.settleOpen()
    this.#above = []
    if (this.#live !== null) this.#screen.erase()
    this.#typed = null
    this.#screen.leave(typed(this.width, this.height))
    this.redraw()
  }

  /** A key has found nothing. */
  ring(): void {
    this.#output.write('\x07')
  }

  clear(): void {
    this.#above = []
    this.#screen.clear()
    this.redraw()
  }

  /** Somebody else had the terminal. */
  forget(): void {
    this.#screen.forget()
  }

  redraw(): void {
    const frame = this.#frame()
    if (frame === null) this.#screen.erase()
    else this.#screen.draw(frame)
  }

  #frame(): Frame | null {
    const { width, height } = this
    if (this.#live === null) return this.#typed?.(width, height) ?? null
    const below = this.#typed?.(width, Math.max(1, Math.floor(height / 2))) ?? null
    const above = this.#live(width, Math.max(1, height - 1 - (below?.rows.length ?? 0)))
    if (below === null) return above
    const { row, column } = below.cursor
    return { rows: [...above.rows, ...below.rows], cursor: { row: above.rows.length + row, column } }
  }

  #liveText(): string | null {
    const rows = this.#live?.(this.width, Math.max(1, this.height - 1)).rows ?? null
    return rows === null ? null : rows.map((row) => paint(row, this.#paint)).join('\n')
  }
}

/** How many rows a terminal makes of lines. */
function rowsOf(text: string, width: number): number {
  return withoutStyles(text)
    .split('\n')
    .reduce((rows, line) => rows + Math.max(1, Math.ceil(widthOf(line) / width)), 0)
}
