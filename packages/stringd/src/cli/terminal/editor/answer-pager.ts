import type { Key } from 'node:readline'
import { moreText, nextLines, pagerWish } from '../pager.ts'
import { nameOf } from './keys.ts'
import type { Stage } from './stage.ts'

/** Shows an answer that is taller than the window from its top on, and the rest as keys ask for it. */
export class AnswerPager {
  readonly #lines: readonly string[]
  readonly #stage: Stage
  readonly #onOver: () => void
  #shown = 0

  constructor(lines: readonly string[], stage: Stage, onOver: () => void) {
    this.#lines = lines
    this.#stage = stage
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
    this.#stage.show(null)
    this.#onOver()
  }

  #show(wish: 'screen' | 'line'): void {
    const count = nextLines(this.#lines, this.#shown, wish, this.#stage)
    this.#stage.show(null)
    this.#stage.print(this.#lines.slice(this.#shown, this.#shown + count).join('\n'))
    this.#shown += count
    const left = this.#lines.length - this.#shown
    if (left === 0) this.end()
    else
      this.#stage.show(() => ({
        rows: [[{ text: moreText(left), styles: ['inverse'] }]],
        cursor: { row: 0, column: 0 },
      }))
  }
}
