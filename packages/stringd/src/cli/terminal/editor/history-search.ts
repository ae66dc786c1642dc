import { cellsOf } from '../cells.ts'
import type { Line } from '../styled-text.ts'
import type { HistoryWalk } from './history-walk.ts'
import { type Frame, layOut } from './layout.ts'

/** Ctrl-R: what was typed before and holds what is typed now. */
export class HistorySearch {
  readonly #history: HistoryWalk
  #query = ''
  /** Which entry was found, counted from the newest. */
  #at: number | null = null

  constructor(history: HistoryWalk) {
    this.#history = history
  }

  get found(): string | null {
    return this.#history.entry(this.#at)
  }

  type(text: string): void {
    this.#query += text
    this.#at = this.#history.find(this.#query, this.#at ?? 0)
  }

  backspace(): void {
    this.#query = Array.from(cellsOf(this.#query), ({ shown }) => shown)
      .slice(0, -1)
      .join('')
    this.#at = this.#history.find(this.#query, 0)
  }

  /** Where nothing further is found, what was found stays. */
  older(): void {
    this.#at = this.#history.find(this.#query, (this.#at ?? -1) + 1) ?? this.#at
  }

  newer(): void {
    this.#at = this.#history.find(this.#query, (this.#at ?? 0) - 1, -1) ?? this.#at
  }

  frame(width: number, height: number): Frame {
    const text = this.found ?? ''
    const isExact = this.#query !== this.#query.toLowerCase()
    const from = (isExact ? text : text.toLowerCase()).indexOf(this.#query)
    const isLost = this.#at === null && this.#query !== ''
    const prompt: Line = [
      { text: isLost ? 'nothing found: ' : 'search: ', styles: [isLost ? 'red' : 'cyan'] },
      { text: this.#query },
      { text: ' · ', styles: ['dim'] },
    ]
    const found = this.#at === null || from === -1 ? null : { from, to: from + this.#query.length }
    return layOut({ prompt, text, at: found?.from ?? 0, hint: '', found, below: () => [] }, width, height)
  }
}
