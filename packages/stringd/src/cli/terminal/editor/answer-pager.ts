import type { Key } from 'node:readline'
import { moreText, nextLines, pagerWish, screenBefore } from '../pager.ts'
import { nameOf } from './keys.ts'
import type { Stage } from './stage.ts'

/** Shows an answer that is taller than the window from its top on, and the rest as keys ask for it, until they leave it. */
export class AnswerPager {
  readonly #lines: readonly string[]
  readonly #stage: Stage
  readonly #onOver: () => void
  #shown = 0

  constructor(lines: readonly string[], stage: Stage, onOver: () => void) {
    this.#lines = lines
    this.#stage = stage
    this.#onOver = onOver
    this.#goOn('screen')
  }

  /** Whether the key was for this; any other ends it, and begins what comes next. */
  press(key: Key): boolean {
    const wish = pagerWish(key.sequence === 'G' ? 'G' : nameOf(key))
    const isAtEnd = this.#shown === this.#lines.length
    if (wish === null || wish === 'end') this.end()
    else if (wish === 'screen-back' || wish === 'line-back' || wish === 'top') this.#goBack(wish)
    // Who goes on behind the last line goes on to what comes next.
    else if (isAtEnd) this.end()
    else this.#goOn(wish)
    return wish !== null
  }

  end(): void {
    this.#stage.show(null)
    this.#onOver()
  }

  #goOn(wish: 'screen' | 'line' | 'rest'): void {
    const from = this.#shown
    this.#shown = wish === 'rest' ? this.#lines.length : from + nextLines(this.#lines, from, wish, this.#stage)
    this.#print(from)
  }

  /** What was shown before takes the place of the whole window. */
  #goBack(wish: 'screen-back' | 'line-back' | 'top'): void {
    const top = screenBefore(this.#lines, this.#shown, this.#stage)
    if (top === 0) return
    const behind = wish === 'screen-back' ? screenBefore(this.#lines, top, this.#stage) : top - 1
    const from = wish === 'top' ? 0 : behind
    this.#shown = from + nextLines(this.#lines, from, 'screen', this.#stage)
    this.#stage.clear()
    this.#print(from)
  }

  #print(from: number): void {
    this.#stage.show(null)
    this.#stage.print(this.#lines.slice(from, this.#shown).join('\n'))
    const left = this.#lines.length - this.#shown
    this.#stage.show((width) => ({
      rows: [[{ text: moreText(left, width), styles: ['inverse'] }]],
      cursor: { row: 0, column: 0 },
    }))
  }
}
