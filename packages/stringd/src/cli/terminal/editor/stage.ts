import { fitText } from '../cells.ts'
import type { SpinnerPlace } from '../spinner.ts'
import { type Paint, paint } from '../styled-text.ts'
import type { Frame } from './layout.ts'
import { Screen, type TerminalOutput } from './screen.ts'

/** How something looks in a window: at most so many rows. */
export type Drawing = (width: number, height: number) => Frame

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
  print(text: string): void {
    this.aside(() => this.#output.write(`${text}\n`))
  }

  /** Whole lines of somebody who writes them elsewhere, where the same terminal may show them. */
  aside(write: () => void): void {
    this.#screen.erase()
    write()
    this.redraw()
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
