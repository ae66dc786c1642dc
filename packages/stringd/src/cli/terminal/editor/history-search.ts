import { cellsOf } from '../cells.ts'
import { type Line, lineWidth } from '../styled-text.ts'
import { CompletionMenu, menuRows } from './completion-menu.ts'
import type { HistoryWalk } from './history-walk.ts'
import { type Frame, layOut } from './layout.ts'

/** Ctrl-R: what was typed before and holds what is typed now, as a list with the newest first. */
export class HistorySearch {
  readonly #history: HistoryWalk
  #query = ''
  #entries: readonly string[] = []
  #menu = menuOf([])

  constructor(history: HistoryWalk) {
    this.#history = history
    this.#seek('')
  }

  /** Of what is listed before anything was typed, nothing is meant. */
  get found(): string | null {
    const { selected, items } = this.#menu
    return selected === null ? null : (this.#entries[items.indexOf(selected)] ?? null)
  }

  type(text: string): void {
    this.#seek(this.#query + text)
  }

  backspace(): void {
    const kept = Array.from(cellsOf(this.#query), ({ shown }) => shown).slice(0, -1)
    this.#seek(kept.join(''))
  }

  older(): void {
    if (this.#entries.length > 0) this.#menu.move(1)
  }

  newer(): void {
    if (this.#entries.length > 0) this.#menu.move(-1)
  }

  frame(width: number, height: number): Frame {
    const entry = this.found ?? ''
    const isExact = this.#query !== this.#query.toLowerCase()
    const at = (isExact ? entry : entry.toLowerCase()).indexOf(this.#query)
    const isLost = this.#entries.length === 0 && this.#query !== ''
    const prompt: Line = [
      { text: isLost ? 'nothing found: ' : 'search: ', styles: [isLost ? 'red' : 'cyan'] },
      { text: this.#query },
      { text: ' · ', styles: ['dim'] },
    ]
    const { text, from } = beside(entry, at, width - lineWidth(prompt))
    const found = this.found === null || from === -1 ? null : { from, to: from + this.#query.length }
    const below = (columns: number, rows: number): readonly Line[] =>
      this.#entries.length < 2 && found !== null ? [] : this.#menu.lines(columns, Math.min(rows, menuRows(height)))
    return layOut({ prompt, text, at: found?.from ?? 0, hint: '', found, below }, width, height)
  }

  /** What was chosen stays so as long as it is among those that are found. */
  #seek(query: string): void {
    const chosen = this.found
    this.#query = query
    this.#entries = this.#history.holding(query)
    this.#menu = menuOf(this.#entries)
    if (query !== '' && this.#entries.length > 0) this.#menu.choose(Math.max(0, this.#entries.indexOf(chosen ?? '')))
  }
}

/** What was found stands behind what is searched for: of an entry in which it comes late, the beginning is left out. */
function beside(entry: string, at: number, room: number): { readonly text: string; readonly from: number } {
  if (at === -1 || (at < room / 2 && !entry.slice(0, at).includes('\n'))) return { text: entry, from: at }
  const line = entry.lastIndexOf('\n', at - 1) + 1
  const characters = Array.from(cellsOf(entry.slice(line, at)), ({ length }) => length)
  const kept = characters.slice(-Math.max(1, Math.floor(room / 4))).reduce((sum, length) => sum + length, 0)
  return { text: `…${entry.slice(at - kept)}`, from: kept + 1 }
}

/** Of several lines the first. */
function menuOf(entries: readonly string[]): CompletionMenu {
  const items = entries.map((entry) => {
    const [first = '', ...more] = entry.split('\n')
    return { text: more.length === 0 ? first : `${first} …`, kind: 'value' as const, about: null }
  })
  return new CompletionMenu(items, 0, '')
}
