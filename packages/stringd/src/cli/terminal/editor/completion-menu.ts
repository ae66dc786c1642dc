import type { CompletionItem } from '@string-os/protocol'
import { fitText, widthOf } from '../cells.ts'
import type { Line } from '../styled-text.ts'

/** It leaves most of the window to what stands above; of a low one it may take more. */
const SHARE = 3
const LEAST_ROWS = 8
const NAME_COLUMNS = 40

/** How much of a window a menu takes at most. */
export function menuRows(height: number): number {
  return Math.max(LEAST_ROWS, Math.floor(height / SHARE))
}

/** What could stand where the cursor is, shown below the text; one of it may be chosen. */
export class CompletionMenu {
  readonly items: readonly CompletionItem[]
  /** Where in the text an item begins. */
  readonly from: number
  /** What stood there before anything was chosen. */
  readonly typed: string
  readonly #total: number
  #selected: number | null = null
  #top = 0

  constructor(items: readonly CompletionItem[], from: number, typed: string, total = items.length) {
    this.items = items
    this.from = from
    this.typed = typed
    this.#total = total
  }

  get selected(): CompletionItem | null {
    return this.#selected === null ? null : (this.items[this.#selected] ?? null)
  }

  choose(index: number): void {
    this.#selected = index
  }

  /** Chooses the next one; behind the last comes the first. */
  move(step: 1 | -1): void {
    const last = this.items.length - 1
    if (this.#selected === null) this.#selected = step === 1 ? 0 : last
    else this.#selected = (this.#selected + step + this.items.length) % this.items.length
  }

  /** At most `height` lines; the chosen one is among them. */
  lines(width: number, height: number): readonly Line[] {
    if (height < 1 || this.items.length === 0) return []
    const shown = this.#total > height ? height - 1 : height
    this.#scroll(Math.max(1, shown))
    const rows = this.items.slice(this.#top, this.#top + Math.max(1, shown))
    const most = rows.some(({ about }) => about !== null) ? NAME_COLUMNS : width
    const column = Math.min(most, Math.max(1, width - 3), Math.max(...rows.map(({ text }) => widthOf(text))))
    const lines = rows.map((item, index) => menuLine(item, column, width, this.#top + index === this.#selected))
    const left = this.#total - rows.length
    return left > 0 && height > 1
      ? [...lines, [{ text: fitText(`  … ${left} more`, width - 1), styles: ['dim'] }]]
      : lines
  }

  #scroll(shown: number): void {
    const at = this.#selected ?? 0
    if (at < this.#top) this.#top = at
    if (at >= this.#top + shown) this.#top = at - shown + 1
  }
}

function menuLine({ text, about }: CompletionItem, column: number, width: number, isChosen: boolean): Line {
  const name = fitText(text, column)
  const pad = ' '.repeat(Math.max(0, column - widthOf(name)))
  const room = width - column - 5
  const said = about === null || room < 8 ? '' : `  ${fitText(about.replace(/\s+/g, ' '), room)}`
  const styles = isChosen ? (['inverse'] as const) : []
  return [{ text: isChosen ? '> ' : '  ' }, { text: `${name}${pad}`, styles }, { text: said, styles: ['dim'] }]
}
