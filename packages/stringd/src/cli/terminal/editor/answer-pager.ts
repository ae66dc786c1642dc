import type { Key } from 'node:readline'
import { moreText, nextLines, pagerWish } from '../pager.ts'
import { nameOf } from './keys.ts'
import type { Screen, TerminalOutput } from './screen.ts'

/** Shows an answer that is taller than the window from its top on, and the rest as keys ask for it. */
export class AnswerPager {
  readonly #lines: readonly string[]
  readonly #output: TerminalOutput
  readonly #screen: Screen
  readonly #onOver: () => void
  #shown = 0

  constructor(lines: readonly string[], output: TerminalOutput, screen: Screen, onOver: () => void) {
    this.#lines = lines
    this.#output = output
    this.#screen = screen
    this.#onOver = onOver
    this.#show('screen')
  }

  /** Whether the key was for this; any other ends it, and begins what comes next. */
  press(key: Key): boolean {
    const wish = pagerWish(nameOf(key))
    if (wish === 'screen' || wish === 'line') this.#show(wish)
    else this.end()
    return wish !== null
  }

  end(): void {
    this.#screen.erase()
    this.#onOver()
  }

  #show(wish: 'screen' | 'line'): void {
    this.#screen.erase()
    const count = nextLines(this.#lines, this.#shown, wish, this.#screen)
    this.#output.write(`${this.#lines.slice(this.#shown, this.#shown + count).join('\n')}\n`)
    this.#shown += count
    const left = this.#lines.length - this.#shown
    if (left === 0) this.end()
    else this.#screen.draw({ rows: [[{ text: moreText(left), styles: ['inverse'] }]], cursor: { row: 0, column: 0 } })
  }
}
