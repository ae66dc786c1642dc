import type { Frame } from '../editor/layout.ts'
import type { Stage } from '../editor/stage.ts'
import { lineWidth, paint } from '../styled-text.ts'
import { type MarkdownManner, markdownLines } from './render.ts'
import { wrap } from './wrap.ts'

const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?: |$)/
const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** Markdown that comes piece by piece: what is complete is laid out, what is not yet is shown as it is written. */
export class MarkdownStream {
  readonly #stage: Stage
  readonly #manner: () => MarkdownManner
  /** Of a block that is not complete. */
  #pending = ''
  /** An empty line stands between two blocks, and not before the first. */
  #isSpaced = true

  constructor(stage: Stage, manner: () => MarkdownManner) {
    this.#stage = stage
    this.#manner = manner
  }

  push(text: string): void {
    if (text === '') return
    this.#pending += text.replaceAll('\r\n', '\n')
    const cut = completeUntil(this.#pending)
    if (cut > 0) {
      this.#write(this.#pending.slice(0, cut))
      this.#pending = this.#pending.slice(cut)
    }
    this.#preview()
  }

  /** Nothing more comes: the cursor stands at the beginning of a line. */
  end(): void {
    if (this.#pending.trim() !== '') this.#write(this.#pending)
    else this.#stage.show(null)
    this.#pending = ''
    this.#isSpaced = true
  }

  #preview(): void {
    const text = this.#pending.replace(/\n+$/, '')
    if (text === '') return
    if (!this.#isSpaced) this.#stage.print('')
    this.#isSpaced = true
    this.#stage.show((width, height) => previewOf(text, width, height))
  }

  #write(text: string): void {
    const manner = this.#manner()
    const lines = markdownLines(text, manner)
    if (lines.length === 0) return this.#stage.show(null)
    const painted = lines.map((line) => paint(line, manner)).join('\n')
    this.#stage.settle(this.#isSpaced ? painted : `\n${painted}`)
    this.#isSpaced = false
  }
}

/** The end of a text that is still being written, broken as it will be: between words. */
function previewOf(text: string, width: number, height: number): Frame {
  // More than a window holds is not laid out each time that a word comes.
  const end = text.slice(-2 * width * height).toWellFormed()
  const rows = end.split('\n').flatMap((line) => wrap([{ text: line }], width))
  const seen = rows.slice(-height)
  const column = Math.min(width - 1, lineWidth(seen.at(-1) ?? []))
  return { rows: seen, cursor: { row: seen.length - 1, column } }
}

/** Where the last block ends that nothing can be added to: before a line behind a blank one that is no part of it. */
function completeUntil(text: string): number {
  let cut = 0
  let fence: string | null = null
  let isBlank = false
  let first: string | null = null
  let at = 0
  for (const line of text.split('\n')) {
    const isLast = at + line.length === text.length
    if (fence !== null) {
      if (line.trim().startsWith(fence) && line.trim().replace(/[`~]/g, '') === '') fence = null
    } else {
      if (isBlank && line !== '' && !/^\s/.test(line) && !(isLast && mayBecomeItem(line)) && !goesOn(first, line)) {
        cut = at
        first = null
      }
      first ??= line.trim() === '' ? null : line
      fence = FENCE.exec(line)?.[1] ?? null
      isBlank = line.trim() === ''
    }
    at += line.length + 1
  }
  return cut
}

/** Items of one list belong together, whatever stands between them. */
function goesOn(first: string | null, line: string): boolean {
  return first !== null && ITEM.test(first) && ITEM.test(line)
}

function mayBecomeItem(line: string): boolean {
  return /^(?:[-*+]|\d{1,9}[.)]?)$/.test(line)
}
