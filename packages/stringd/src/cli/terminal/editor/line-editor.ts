import type { Key } from 'node:readline'
import type { CompletionView } from '@string-os/protocol'
import type { Line } from '../styled-text.ts'
import { Completing } from './completing.ts'
import { menuRows } from './completion-menu.ts'
import { HistorySearch } from './history-search.ts'
import { HistoryWalk } from './history-walk.ts'
import { EDITING, nameOf, TAKING, typedBy } from './keys.ts'
import { type Frame, layOut } from './layout.ts'
import { TextBuffer } from './text-buffer.ts'

/** What a key asks of whoever runs the editor. */
export type Wish =
  | { readonly kind: 'enter'; readonly text: string }
  /** What could stand here, to be shown as soon as it is known; the key may want to be pressed again then. */
  | { readonly kind: 'complete'; readonly isPressedAgain?: true }
  | {
      readonly kind:
        | 'interrupt'
        | 'leave'
        | 'end-input'
        | 'suspend'
        | 'hand-over'
        | 'clear-screen'
        | 'bell'
        | 'edit-outside'
    }

/** A text that is not complete when Enter is pressed, and how it goes on. */
export interface Unfinished {
  readonly text: string
  /** Lines follow until an empty one. */
  readonly isBody: boolean
}

export interface EditorOptions {
  /** Newest first. */
  readonly history: readonly string[]
  /** What of it is not suggested. */
  readonly refused?: Iterable<string>
  readonly unfinished?: (text: string) => Unfinished | null
  /** What is typed now is for nobody's eyes. */
  readonly hides?: () => boolean
  /** Whether an entry of the history may be suggested here; any is found there. */
  readonly suggests?: (entry: string) => boolean
  /** Whether Up comes to what was typed before, perhaps elsewhere. */
  readonly belongs?: (entry: string) => boolean
  /** Whether completions are suggested; Tab shows them in any case. */
  readonly foretells?: () => boolean
  /** What Tab puts at the beginning of a line; null: nothing, it completes there as well. */
  readonly indent?: () => string | null
  /** Whether Ctrl-D behind a text sends it as it is, as the terminal of a program does. */
  readonly endsInput?: (text: string) => boolean
  /** Nothing can be printed grey: what is only suggested would look as if it had been typed. */
  readonly isPlain?: boolean
}

/** The last word of an entry of the history, and where it stands now. */
interface Recalled {
  readonly from: number
  readonly entry: number
}

/** One stands for each character that is hidden. */
const DOT = '•'
const INPUT_HINT = 'Enter sends it; Ctrl-D sends it and ends the input'
const BODY_HINT = 'Enter sends it; Alt-Enter makes an empty line'

const LAST_WORD: ReadonlySet<string> = new Set(['alt-.', 'alt-_'])
const WALKING: ReadonlySet<string> = new Set([
  ...LAST_WORD,
  'tab',
  'up',
  'down',
  'ctrl-p',
  'ctrl-n',
  'ctrl-r',
  'ctrl-x',
])

/** In the list that Ctrl-R shows older ones stand below. */
const OLDER: ReadonlySet<string> = new Set(['ctrl-r', 'down', 'ctrl-n'])
const NEWER: ReadonlySet<string> = new Set(['ctrl-s', 'up', 'ctrl-p'])

const WISHES: ReadonlyMap<string, Wish> = new Map([
  ['ctrl-c', { kind: 'interrupt' }],
  ['ctrl-z', { kind: 'suspend' }],
  ['ctrl-]', { kind: 'hand-over' }],
  ['ctrl-l', { kind: 'clear-screen' }],
])

/** What is typed, key by key, and how it looks. It reads and writes nothing itself. */
export class LineEditor {
  readonly #buffer = new TextBuffer()
  readonly #completing = new Completing(this.#buffer)
  readonly #usual: HistoryWalk
  #history: HistoryWalk
  readonly #unfinished: EditorOptions['unfinished']
  readonly #hides: () => boolean
  readonly #belongs: (entry: string) => boolean
  readonly #suggests: (entry: string) => boolean
  readonly #foretells: () => boolean
  readonly #indent: () => string | null
  readonly #endsInput: (text: string) => boolean
  readonly #isPlain: boolean
  #search: HistorySearch | null = null
  #isBody = false
  /** Where the last word of which entry was put: the same key goes on to the one before. */
  #recalled: Recalled | null = null
  /** Ctrl-X, which is the half of a key. */
  #isHalf = false
  /** Text that is being pasted: Enter is one of its line ends. */
  #pasted: string | null = null

  constructor(options: EditorOptions) {
    const {
      history,
      refused = [],
      unfinished,
      hides = () => false,
      suggests = () => true,
      belongs = () => true,
      foretells = () => true,
    } = options
    this.#suggests = suggests
    this.#belongs = belongs
    this.#isPlain = options.isPlain === true
    this.#foretells = foretells
    this.#endsInput = options.endsInput ?? (() => false)
    this.#indent = options.indent ?? (() => null)
    this.#usual = new HistoryWalk(history, refused)
    this.#history = this.#usual
    this.#hides = hides
    this.#unfinished = unfinished
  }

  get text(): string {
    return this.#buffer.text
  }

  /** What completion is asked about; null where nothing is to be completed. */
  get completable(): string | null {
    return this.#search !== null || this.#pasted !== null || this.#hides() ? null : this.#buffer.before
  }

  /** What was typed before, newest first. */
  get typedBefore(): readonly string[] {
    return this.#history.entries
  }

  get isPasting(): boolean {
    return this.#pasted !== null
  }

  /** What is offered from now on: nothing but what is remembered meanwhile, or again what was before. */
  beginApart(isApart: boolean): void {
    this.#history.rest()
    this.#history = isApart ? new HistoryWalk([]) : this.#usual
  }

  remember(text: string): void {
    this.#history.add(text)
  }

  /** What was entered was a mistake, and is not suggested again. */
  refuse(text: string): void {
    this.#history.refuse(text)
  }

  clear(): void {
    if (this.#hides()) this.#buffer.forget()
    else this.#buffer.clear()
    this.#history.rest()
    this.#completing.close()
    this.#search = null
    this.#isBody = false
  }

  /** Puts a text in place of what is there. */
  set(text: string): void {
    this.clear()
    this.#buffer.set(text)
  }

  /** Puts a text where the cursor is, as it is. */
  insert(text: string): void {
    this.#completing.close()
    this.#buffer.insert(text.replace(/\r\n?/g, '\n'))
  }

  press(text: string | undefined, key: Key): Wish | null {
    const name = nameOf(key)
    if (name === 'paste-start') this.#pasted = ''
    else if (name === 'paste-end') this.#endPaste()
    else if (this.#pasted !== null) this.#pasted += key.sequence ?? text ?? ''
    else if (this.#search !== null) return this.#inSearch(this.#search, name, text, key)
    else return this.#pressed(name, text, key)
    return null
  }

  /** What could stand behind a text has become known. Answers whether that is still what stands there; 'bell': nothing can. */
  offer(text: string, view: CompletionView): boolean | 'bell' {
    if (this.completable !== text) return false
    return this.#completing.offer(text, view) ? 'bell' : true
  }

  #pressed(name: string, text: string | undefined, key: Key): Wish | null {
    const isWhole = this.#isHalf && name === 'ctrl-e'
    this.#isHalf = false
    if (isWhole) return { kind: 'edit-outside' }
    const recalled = this.#recalled
    this.#recalled = null
    const taken = this.#completing.press(name)
    if (taken !== false) return taken === 'ask' ? { kind: 'complete' } : null
    const wish = WISHES.get(name)
    if (wish !== undefined) return wish
    if (name === 'ctrl-d' && this.text === '') return { kind: 'leave' }
    if (name === 'ctrl-d' && this.#buffer.isAtEnd && this.#endsInput(this.text)) return { kind: 'end-input' }
    if (name === 'return') return this.#enter()
    // Neither has anything to do with a secret.
    if (this.#hides() && WALKING.has(name)) return null
    if (name === 'tab') return this.#tab()
    if (name === 'up' || name === 'ctrl-p') this.#older()
    else if (name === 'down' || name === 'ctrl-n') this.#newer()
    else if (name === 'ctrl-r') this.#search = new HistorySearch(this.#history)
    else if (name === 'ctrl-x') this.#isHalf = true
    else if (LAST_WORD.has(name)) this.#recall(recalled)
    else this.#edit(name, text, key)
    return null
  }

  #edit(name: string, text: string | undefined, key: Key): void {
    const suggested = this.#suggested()
    const typed = typedBy(text, key)
    const edit = name === 'ctrl-d' ? EDITING.get('delete') : EDITING.get(name)
    if (suggested !== '' && TAKING.has(name)) this.#buffer.insert(suggested)
    else if (edit !== undefined) {
      this.#completing.close()
      edit(this.#buffer)
    } else if (typed !== null) {
      this.#completing.typedOn()
      this.#buffer.insert(typed)
    }
  }

  #tab(): Wish | null {
    const indent = /(?:^|\n)[ \t]*$/.test(this.#buffer.before) ? this.#indent() : null
    if (indent !== null) {
      this.#buffer.insert(indent)
      return null
    }
    const done = this.#completing.tab()
    if (done === null) return { kind: 'complete' }
    return done === 'nothing' ? { kind: 'bell' } : null
  }

  #enter(): Wish | null {
    const taken = this.#completing.enter()
    if (taken === 'ask') return { kind: 'complete', isPressedAgain: true }
    if (taken === 'taken') return null
    this.#completing.close()
    const { text } = this
    if (this.#isBody) {
      if (this.#buffer.isAtEnd && text.endsWith('\n')) return this.#entered(text.slice(0, -1))
      this.#buffer.insert('\n')
      return null
    }
    const more = this.#unfinished?.(text) ?? null
    if (more === null) return this.#entered(text)
    this.#buffer.set(more.text)
    this.#isBody = more.isBody
    return null
  }

  #entered(text: string): Wish {
    this.#buffer.set(text)
    this.#isBody = false
    this.#history.rest()
    return { kind: 'enter', text }
  }

  #older(): void {
    if (this.#buffer.isOnFirstLine) this.#show(this.#history.older(this.text, this.#belongs))
    else this.#buffer.up()
  }

  #newer(): void {
    if (this.#buffer.isOnLastLine) this.#show(this.#history.newer())
    else this.#buffer.down()
  }

  #recall(before: Recalled | null): void {
    const found = this.#history.lastWord(before === null ? 0 : before.entry + 1, this.#suggests)
    this.#recalled = before
    if (found === null) return
    const from = before?.from ?? this.#buffer.at
    this.#completing.close()
    this.#buffer.replace(from, found.word)
    this.#recalled = { from, entry: found.at }
  }

  #show(entry: string | null): void {
    if (entry === null) return
    this.#completing.close()
    this.#isBody = false
    this.#buffer.set(entry)
  }

  #endPaste(): void {
    const text = this.#pasted ?? ''
    this.#pasted = null
    if (this.#search === null) this.insert(text)
    else this.#search.type(text.split(/[\r\n]/)[0] ?? '')
  }

  #inSearch(search: HistorySearch, name: string, text: string | undefined, key: Key): Wish | null {
    const typed = typedBy(text, key)
    if (typed !== null) search.type(typed)
    else if (name === 'backspace' || name === 'ctrl-h') search.backspace()
    else if (OLDER.has(name)) search.older()
    else if (NEWER.has(name)) search.newer()
    else {
      this.#search = null
      if (name === 'ctrl-g' || name === 'ctrl-c' || name === 'escape') return null
      this.#show(search.found)
      return name === 'tab' || name === 'right' ? null : this.#pressed(name, text, key)
    }
    return null
  }

  /** What goes on behind the cursor, if it is taken: an entry of the history, else the first completion. */
  #suggested(): string {
    if (this.#isPlain || !this.#buffer.isAtEnd || this.#completing.isOpen || this.#isBody || this.#hides()) return ''
    const entry = this.#history.isAway ? null : this.#history.suggest(this.text, this.#suggests)
    if (entry !== null) return entry.slice(this.text.length)
    return this.#foretells() ? this.#completing.suggested() : ''
  }

  /** What is shown grey behind the cursor. */
  #hint(): string {
    const hint = this.#greyHint()
    return this.#isPlain && hint !== '' ? ` (${hint.trim()})` : hint
  }

  #greyHint(): string {
    if (this.#isBody) return this.text.endsWith('\n') ? BODY_HINT : ''
    if (this.#buffer.isAtEnd && this.text.endsWith('\n') && this.#endsInput(this.text)) return INPUT_HINT
    const suggested = this.#suggested()
    if (suggested !== '') return `${suggested.split('\n')[0] ?? ''}${suggested.includes('\n') ? ' …' : ''}`
    if (!this.#buffer.isAtEnd || this.#completing.isOpen) return ''
    const note = this.#completing.note()
    return note === '' ? this.#completing.usage() : `  ${note}`
  }

  /** How it looks. Where nothing is typed on any more, without what is only suggested. */
  frame(prompt: Line, width: number, height: number, isOver = false): Frame {
    if (this.#search !== null && !isOver) return this.#search.frame(width, height)
    const { text, at } = this.#buffer
    if (this.#hides()) return this.#hiddenFrame(prompt, isOver ? 0 : text.length, width, height)
    if (isOver) return layOut({ prompt, text, at: text.length, hint: '', below: () => [] }, width, height)
    const below = (columns: number, rows: number): readonly Line[] =>
      this.#completing.lines(columns, Math.min(rows, menuRows(height)))
    return layOut({ prompt, text, at, hint: this.#hint(), below }, width, height)
  }

  /** How long it was is not left to be seen. */
  #hiddenFrame(prompt: Line, length: number, width: number, height: number): Frame {
    const at = Math.min(this.#buffer.at, length)
    return layOut({ prompt, text: DOT.repeat(length), at, hint: '', below: () => [] }, width, height)
  }
}
