import { fitText } from '../cells.ts'
import type { Line } from '../styled-text.ts'
import type { Drawing } from './stage.ts'

/** More than these are only counted. */
const SHOWN = 3

/** What was entered while nobody read it: it waits its turn, in sight. */
export class TypeAhead {
  #texts: string[] = []

  /** Nothing that a person would miss. */
  get isEmpty(): boolean {
    return this.#texts.every((text) => text === '')
  }

  add(text: string): void {
    this.#texts.push(text)
  }

  /** It comes before what waits already. */
  addFirst(texts: readonly string[]): void {
    this.#texts.unshift(...texts)
  }

  next(): string | undefined {
    return this.#texts.shift()
  }

  /** All of it, with what was typed but not entered yet: nothing of it is asked for any more. */
  takeBack(typed: string): string {
    const texts = [...this.#texts, typed].filter((text) => text !== '')
    this.#texts = []
    return texts.join('\n')
  }

  /** What waits stands above what is being typed. */
  above(typed: Drawing, isHidden = false): Drawing {
    return (width, height) => {
      const waiting = (isHidden ? [] : this.#rows(width)).slice(0, Math.max(0, height - 1))
      const { rows, cursor } = typed(width, Math.max(1, height - waiting.length))
      return { rows: [...waiting, ...rows], cursor: { row: waiting.length + cursor.row, column: cursor.column } }
    }
  }

  #rows(width: number): readonly Line[] {
    const texts = this.#texts.filter((text) => text !== '')
    const rows = texts.slice(0, SHOWN).map((text) => {
      const [first = '', ...more] = text.split('\n')
      return `waits: ${first}${more.length > 0 ? ' …' : ''}`
    })
    const left = texts.length - rows.length
    const all = left === 0 ? rows : [...rows, `and ${left} more`]
    return all.map((text) => [{ text: fitText(text, width), styles: ['dim'] as const }])
  }
}
