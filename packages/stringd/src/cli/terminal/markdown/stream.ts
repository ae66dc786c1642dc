import type { Stage } from '../editor/stage.ts'
import { paint } from '../styled-text.ts'
import { type MarkdownManner, markdownLines } from './render.ts'
import { unfinishedBlock } from './unfinished.ts'

const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?: |$)/
const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** Markdown that comes piece by piece: a block that is complete stays, and one that is not yet is laid out as far as it is known. */
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
    this.#pending = `${this.#pending}${text}`.replaceAll('\r\n', '\n')
    const { cut, isInFence } = readThrough(this.#pending)
    if (cut > 0) {
      this.#write(this.#pending.slice(0, cut))
      this.#pending = this.#pending.slice(cut)
    }
    this.#preview(isInFence)
  }

  /** Nothing more comes: the cursor stands at the beginning of a line. */
  end(): void {
    if (this.#pending.trim() !== '') this.#write(this.#pending)
    else this.#stage.show(null)
    this.#pending = ''
    this.#isSpaced = true
  }

  #preview(isInFence: boolean): void {
    const text = this.#pending
    if (text.trim() === '') return
    if (!this.#isSpaced) this.#stage.print('')
    this.#isSpaced = true
    this.#stage.show(unfinishedBlock(text, isInFence, this.#manner))
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

interface ReadThrough {
  /** Where the last block ends that nothing can be added to: before a line behind a blank one that is no part of it. */
  readonly cut: number
  /** The last line stands in a block of code, or ends it. */
  readonly isInFence: boolean
}

function readThrough(text: string): ReadThrough {
  let cut = 0
  let isInFence = false
  let fence: string | null = null
  let isBlank = false
  let first: string | null = null
  let at = 0
  for (const line of text.split('\n')) {
    const isLast = at + line.length === text.length
    isInFence = fence !== null
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
  return { cut, isInFence }
}

/** Items of one list belong together, whatever stands between them. */
function goesOn(first: string | null, line: string): boolean {
  return first !== null && ITEM.test(first) && ITEM.test(line)
}

function mayBecomeItem(line: string): boolean {
  return /^(?:[-*+]|\d{1,9}[.)]?)$/.test(line)
}
