import type { Key } from 'node:readline'
import { moreText, nextLines, pagerWish, sameLine, screenBefore, type Window } from '../pager.ts'
import { nameOf } from './keys.ts'
import type { Stage } from './stage.ts'

/** Shows an answer that is taller than the window from its top on, and the rest as keys ask for it, until they leave it. */
export class AnswerPager {
  readonly #layOut: () => readonly string[]
  readonly #stage: Stage
  readonly #onOver: () => void
  #lines: readonly string[]
  #shown = 0
  /** How large the window was that they were laid out for. */
  #window: Window

  constructor(layOut: () => readonly string[], stage: Stage, onOver: () => void) {
    this.#layOut = layOut
    this.#stage = stage
    this.#onOver = onOver
    this.#lines = layOut()
    this.#window = sizeOf(stage)
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

  /** The window has another size: the same place is shown, laid out for that. What was at the end stays there. */
  resize(): void {
    const isAtEnd = this.#shown === this.#lines.length
    const top = screenBefore(this.#lines, this.#shown, this.#window)
    const lines = this.#layOut()
    const end = screenBefore(lines, lines.length, this.#stage)
    const from = isAtEnd ? end : Math.min(end, sameLine(this.#lines, top, lines))
    this.#lines = lines
    this.#window = sizeOf(this.#stage)
    this.#showFrom(from)
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
    this.#showFrom(wish === 'top' ? 0 : behind)
  }

  #showFrom(from: number): void {
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

function sizeOf({ width, height }: Window): Window {
  return { width, height }
}
