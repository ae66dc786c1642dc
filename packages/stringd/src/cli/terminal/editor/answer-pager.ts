import type { Key } from 'node:readline'
import { fitText } from '../cells.ts'
import {
  markedLine,
  matchingLine,
  moreText,
  nextLines,
  pagerWish,
  type Step,
  sameLine,
  screenBefore,
  type Window,
} from '../pager.ts'
import { nameOf } from './keys.ts'
import { LineEditor } from './line-editor.ts'
import type { Stage } from './stage.ts'

/** Commands begin as a search does. */
export interface PagerCommands {
  readonly isCommand: (line: string) => boolean
  /** What looked like a search is typed on as a command, and perhaps entered. */
  readonly take: (line: string, isEntered: boolean) => void
}

const NO_COMMANDS: PagerCommands = { isCommand: () => false, take: () => undefined }
/** Keys that are told by what they type. */
const LETTERS: ReadonlySet<string> = new Set(['G', 'N', '/', '?'])
const LEAVING: ReadonlySet<string> = new Set(['escape', 'ctrl-c', 'ctrl-g', 'ctrl-d'])

const STEPS_BACK = { 'screen-back': 'screen', 'half-back': 'half', 'line-back': 'line' } as const

/** Shows an answer that is taller than the window from its top on, and the rest as keys ask for it, until they leave it. */
export class AnswerPager {
  readonly #layOut: () => readonly string[]
  readonly #stage: Stage
  readonly #onOver: () => void
  readonly #commands: PagerCommands
  #lines: readonly string[]
  #shown = 0
  /** How large the window was that they were laid out for. */
  #window: Window
  /** What is typed behind `/` or `?`; null: nothing is. */
  #typing: LineEditor | null = null
  #sought = ''
  /** Where that is sought: `?` goes up. */
  #direction: 1 | -1 = 1
  isOver = false
  /** The line in which that was found last. */
  #match: number | null = null

  constructor(layOut: () => readonly string[], stage: Stage, onOver: () => void, commands = NO_COMMANDS) {
    this.#layOut = layOut
    this.#stage = stage
    this.#onOver = onOver
    this.#commands = commands
    this.#lines = layOut()
    this.#window = sizeOf(stage)
    this.#goOn('screen')
  }

  /** What is typed now is sought. */
  get isSearching(): boolean {
    return this.#typing !== null
  }

  /** Whether the key was for this; any other ends it, and begins what comes next. */
  press(key: Key, text = key.sequence): boolean {
    if (this.#typing !== null) {
      this.#type(this.#typing, key, text)
      return true
    }
    const wish = pagerWish(LETTERS.has(key.sequence ?? '') ? (key.sequence ?? '') : nameOf(key))
    const isAtEnd = this.#shown === this.#lines.length
    // Without a search they are letters as any others.
    const isLetter = this.#sought === '' && (wish === 'next-match' || wish === 'match-before')
    if (wish === null || wish === 'end' || isLetter) this.end()
    else if (wish === 'search' || wish === 'search-back') this.#ask(wish === 'search' ? 1 : -1)
    else if (wish === 'next-match') this.#find(this.#direction)
    else if (wish === 'match-before') this.#find(this.#direction === 1 ? -1 : 1)
    else if (wish === 'top') this.#goBack(null)
    else if (wish === 'screen-back' || wish === 'half-back' || wish === 'line-back') this.#goBack(STEPS_BACK[wish])
    else if (wish === 'half' || wish === 'line-at-most') this.#scroll(wish === 'half' ? 'half' : 'line')
    // Who goes on behind the last line goes on to what comes next.
    else if (isAtEnd) this.end()
    else this.#goOn(wish)
    return wish !== null && !isLetter
  }

  /** The window has another size: the same place is shown, laid out for that. What was at the end stays there. */
  resize(): void {
    const isAtEnd = this.#shown === this.#lines.length
    const top = screenBefore(this.#lines, this.#shown, this.#window)
    const lines = this.#layOut()
    const end = screenBefore(lines, lines.length, this.#stage)
    const from = isAtEnd ? end : Math.min(end, sameLine(this.#lines, top, lines))
    this.#lines = lines
    this.#match = null
    this.#window = sizeOf(this.#stage)
    this.#showFrom(from)
    if (this.#typing !== null) this.#showTyped(this.#typing)
  }

  end(): void {
    this.isOver = true
    this.#stage.show(null)
    this.#onOver()
  }

  /** Stays where it is at the end. */
  #scroll(step: Step): void {
    if (this.#shown < this.#lines.length) this.#goOn(step)
  }

  #goOn(wish: Step | 'rest'): void {
    const from = this.#shown
    this.#shown = wish === 'rest' ? this.#lines.length : from + nextLines(this.#lines, from, wish, this.#stage)
    this.#print(from)
  }

  /** What was shown before takes the place of the whole window; null: the top. */
  #goBack(step: Step | null): void {
    const top = this.#top
    if (top === 0) return
    this.#showFrom(step === null ? 0 : screenBefore(this.#lines, top, this.#stage, step))
  }

  get #top(): number {
    return screenBefore(this.#lines, this.#shown, this.#stage)
  }

  #ask(direction: 1 | -1): void {
    this.#direction = direction
    this.#typing = new LineEditor({ history: this.#sought === '' ? [] : [this.#sought], suggests: () => false })
    this.#showTyped(this.#typing)
  }

  #type(typing: LineEditor, key: Key, text: string | undefined): void {
    const name = nameOf(key)
    if (LEAVING.has(name) || (name === 'backspace' && typing.text === '')) return this.#stopTyping()
    // Only a command is completed.
    if (name === 'tab') return this.#direction === 1 ? this.#takeCommand(typing.text, false) : undefined
    const wish = typing.press(text, key)
    if (wish?.kind !== 'enter') return this.#showTyped(typing)
    this.#stopTyping()
    this.#seek(wish.text)
  }

  #stopTyping(): void {
    this.#typing = null
    this.#showMore()
  }

  /** Nothing typed: the same once more. A command that stands nowhere in the text is the next one. */
  #seek(typed: string): void {
    const isAnywhere = matchingLine(this.#lines, typed, 0, 1) !== null
    if (this.#direction === 1 && !isAnywhere && this.#commands.isCommand(`/${typed}`))
      return this.#takeCommand(typed, true)
    if (typed !== '') {
      this.#sought = typed
      this.#match = null
    }
    if (this.#sought !== '') this.#find(this.#direction)
  }

  #takeCommand(typed: string, isEntered: boolean): void {
    this.end()
    this.#commands.take(`/${typed}`, isEntered)
  }

  /** From what was found last, where that is in sight, else from the top of the window. */
  #find(step: 1 | -1): void {
    const top = this.#top
    const seen = this.#match !== null && this.#match >= top && this.#match < this.#shown ? this.#match : null
    const from = seen === null ? (step === 1 ? top : top - 1) : seen + step
    const found = matchingLine(this.#lines, this.#sought, from, step)
    if (found === null) return this.#say(this.#lost(step))
    this.#match = found
    this.#showFrom(Math.min(found, screenBefore(this.#lines, this.#lines.length, this.#stage)))
  }

  #lost(step: 1 | -1): string {
    const isAnywhere = matchingLine(this.#lines, this.#sought, 0, 1) !== null
    if (!isAnywhere) return `-- not found: ${this.#sought} --`
    const other = step === this.#direction ? 'N' : 'n'
    return step === 1
      ? `-- not found below: ${this.#sought} (${other} goes back) --`
      : `-- not found above: ${this.#sought} (${other} goes on) --`
  }

  #showFrom(from: number): void {
    this.#shown = from + nextLines(this.#lines, from, 'screen', this.#stage)
    this.#stage.clear()
    this.#print(from)
  }

  #print(from: number): void {
    this.#stage.show(null)
    const lines = this.#lines.slice(from, this.#shown)
    const isMarked = this.#sought !== '' && this.#stage.hasColor
    this.#stage.print((isMarked ? lines.map((line) => markedLine(line, this.#sought)) : lines).join('\n'))
    this.#showMore()
  }

  #showMore(): void {
    const left = this.#lines.length - this.#shown
    this.#showBelow((width) => moreText(left, this.#lines.length, width))
  }

  #say(text: string): void {
    this.#showBelow((width) => fitText(text, Math.max(1, width - 1)))
  }

  #showBelow(text: (width: number) => string): void {
    this.#stage.show((width) => ({
      rows: [[{ text: text(width), styles: ['inverse'] }]],
      cursor: { row: 0, column: 0 },
    }))
  }

  #showTyped(typing: LineEditor): void {
    this.#stage.show((width) => typing.frame([{ text: this.#direction === 1 ? '/' : '?' }], width, 1))
  }
}

function sizeOf({ width, height }: Window): Window {
  return { width, height }
}
