import { fitText } from '../cells.ts'
import type { Line } from '../styled-text.ts'
import type { Drawing } from './stage.ts'

const END_WAITS = 'waits: Ctrl-D (again leaves at once)'
/** More than these are only counted. */
const SHOWN = 3

/** A text that was entered, one that Ctrl-D sends as it is, or that key alone. */
type Entered = { readonly kind: 'text' | 'sent'; readonly text: string } | { readonly kind: 'end' }

/** What was entered while nobody read it: it waits its turn, in sight. */
export class TypeAhead {
  #entered: Entered[] = []

  /** Nothing that a person would miss. */
  get isEmpty(): boolean {
    return this.#texts.length === 0 && !this.hasEnd
  }

  /** Ctrl-D waits. */
  get hasEnd(): boolean {
    return this.#entered.some(({ kind }) => kind === 'end')
  }

  get #texts(): readonly string[] {
    return this.#entered.flatMap((each) => (each.kind === 'end' || each.text === '' ? [] : [each.text]))
  }

  add(text: string): void {
    this.#entered.push({ kind: 'text', text })
  }

  addSent(text: string): void {
    this.#entered.push({ kind: 'sent', text })
  }

  addEnd(): void {
    this.#entered.push({ kind: 'end' })
  }

  next(): Entered | undefined {
    return this.#entered.shift()
  }

  /** All texts, with what was typed but not entered yet: nothing of it is asked for any more. */
  takeBack(typed: string): readonly string[] {
    const texts = [...this.#texts, ...(typed === '' ? [] : [typed])]
    this.#entered = []
    return texts
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
    const texts = this.#texts
    const rows = texts.slice(0, SHOWN).map((text) => {
      const [first = '', ...more] = text.split('\n')
      return `waits: ${first}${more.length > 0 ? ' …' : ''}`
    })
    const left = texts.length - rows.length
    const all = [...rows, ...(left === 0 ? [] : [`and ${left} more`]), ...(this.hasEnd ? [END_WAITS] : [])]
    return all.map((text) => [{ text: fitText(text, width), styles: ['dim'] as const }])
  }
}
