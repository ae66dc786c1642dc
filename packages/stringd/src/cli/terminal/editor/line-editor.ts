import type { Key } from 'node:readline'
import type { CompletionView } from '@string-os/protocol'
import type { Line } from '../span.ts'
import { HistoryWalk, type Search } from './history-walk.ts'
import { EDITING, nameOf, TAKING, textOf } from './keys.ts'
import { type Frame, layOut } from './layout.ts'
import { Menu } from './menu.ts'
import { TextBuffer } from './text-buffer.ts'

/** What a key asks of whoever runs the editor. */
export type Wish =
  | { readonly kind: 'enter'; readonly text: string }
  /** What could stand here, to be shown as soon as it is known. */
  | { readonly kind: 'complete' }
  | { readonly kind: 'interrupt' | 'leave' | 'suspend' | 'clear-screen' }

/** A text that is not complete when Enter is pressed, and how it goes on. */
export interface Unfinished {
  readonly text: string
  /** Lines follow until an empty one. */
  readonly isBody: boolean
}

export interface EditorOptions {
  /** Newest first. */
  readonly history: readonly string[]
  readonly unfinished?: (text: string) => Unfinished | null
}

const BODY_HINT = 'Enter sends it; Alt-Enter makes an empty line'

/** What is typed, key by key, and how it looks. It reads and writes nothing itself. */
export class LineEditor {
  readonly #buffer = new TextBuffer()
  readonly #history: HistoryWalk
  readonly #unfinished: EditorOptions['unfinished']
  #menu: Menu | null = null
  #search: (Search & { readonly before: string; readonly at0: number }) | null = null
  #offer: { readonly text: string; readonly view: CompletionView } | null = null
  /** Tab was pressed, and what there is was not known yet. */
  #wantsMenu = false
  #isBody = false
  /** Text is pasted: Enter is one of its line ends. */
  #pasted: string | null = null

  constructor({ history, unfinished }: EditorOptions) {
    this.#history = new HistoryWalk(history)
    this.#unfinished = unfinished
  }

  get text(): string {
    return this.#buffer.text
  }

  /** What completion is asked about; null where nothing is to be completed. */
  get completable(): string | null {
    return this.#search !== null || this.#pasted !== null ? null : this.#buffer.before
  }

  remember(text: string): void {
    this.#history.add(text)
  }

  clear(): void {
    this.#buffer.clear()
    this.#history.rest()
    this.#close()
    this.#search = null
    this.#isBody = false
  }

  press(text: string | undefined, key: Key): Wish | null {
    const name = nameOf(key)
    if (name === 'paste-start') this.#pasted = ''
    else if (name === 'paste-end') this.#endPaste()
    else if (this.#pasted !== null) this.#pasted += key.sequence ?? text ?? ''
    else if (this.#search !== null) return this.#inSearch(name, text, key)
    else return this.#pressed(name, text, key)
    return null
  }

  /** What could stand behind a text has become known. Answers whether anything changed. */
  offer(text: string, view: CompletionView): boolean {
    if (this.completable !== text) return false
    this.#offer = { text, view }
    if (this.#wantsMenu) this.#complete()
    else if (this.#menu !== null && this.#menu.selected === null) this.#menu = this.#menuOf(view)
    return true
  }

  #pressed(name: string, text: string | undefined, key: Key): Wish | null {
    const inMenu = this.#inMenu(name)
    if (inMenu) return null
    const wish = WISHES.get(name)
    if (wish !== undefined) return wish
    if (name === 'ctrl-d' && this.#buffer.text === '') return { kind: 'leave' }
    if (name === 'return' || name === 'enter') return this.#enter()
    if (name === 'tab') return this.#tab()
    if (name === 'up' || name === 'ctrl-p') this.#older()
    else if (name === 'down' || name === 'ctrl-n') this.#newer()
    else if (name === 'ctrl-r') this.#search = { query: '', at: null, before: this.text, at0: this.#buffer.at }
    else this.#edit(name, text, key)
    return null
  }

  #edit(name: string, text: string | undefined, key: Key): void {
    const hint = this.#suggested()
    if (hint !== '' && TAKING.has(name)) {
      this.#buffer.insert(hint)
      return
    }
    const typed = textOf(text, key)
    const edit = name === 'ctrl-d' ? EDITING.get('delete') : EDITING.get(name)
    if (edit === undefined && typed === null) return
    // A menu goes with what it was about; what is typed on narrows it.
    if (edit !== undefined || this.#menu?.selected != null) this.#menu = null
    if (typed !== null && edit === undefined) this.#buffer.insert(typed)
    else edit?.(this.#buffer)
    this.#wantsMenu = false
  }

  #enter(): Wish | null {
    this.#close()
    const { text } = this.#buffer
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
    if (!this.#buffer.isOnFirstLine) this.#buffer.up()
    else this.#show(this.#history.older(this.text))
  }

  #newer(): void {
    if (!this.#buffer.isOnLastLine) this.#buffer.down()
    else this.#show(this.#history.newer())
  }

  #show(entry: string | null): void {
    if (entry === null) return
    this.#close()
    this.#isBody = false
    this.#buffer.set(entry)
  }

  #tab(): Wish | null {
    if (this.#offer?.text === this.#buffer.before) {
      this.#complete()
      return null
    }
    this.#wantsMenu = true
    return { kind: 'complete' }
  }

  /** Takes what is certain; of several, shows all. */
  #complete(): void {
    this.#wantsMenu = false
    if (this.#offer === null) return
    const { view } = this.#offer
    const [only] = view.items
    if (only === undefined) return
    if (view.items.length === 1 && view.total === 1) {
      this.#take(view.from, only.text, only.kind)
      return
    }
    const shared = sharedStart(view.items.map(({ text }) => text))
    const typed = this.#buffer.before.slice(view.from)
    if (shared.length > typed.length && shared.startsWith(typed)) this.#buffer.replace(view.from, shared)
    this.#menu = this.#menuOf(view)
  }

  /** Behind a whole word a blank; a folder goes on. */
  #take(from: number, text: string, kind: string): void {
    const isOpen = kind === 'folder' && !text.endsWith("'")
    this.#buffer.replace(from, isOpen || this.#buffer.text.charAt(this.#buffer.at) === ' ' ? text : `${text} `)
    this.#close()
  }

  #menuOf({ items, from, total }: CompletionView): Menu | null {
    return items.length === 0 ? null : new Menu(items, from, this.#buffer.before.slice(from), total)
  }

  /** Whether the key was for the menu. */
  #inMenu(name: string): boolean {
    const menu = this.#menu
    if (menu === null) return false
    const step = MENU_STEPS.get(name)
    if (step !== undefined) {
      menu.move(step)
      this.#buffer.replace(menu.from, menu.selected?.text ?? menu.typed)
      return true
    }
    const { selected } = menu
    if (name === 'escape' || name === 'ctrl-g') {
      if (selected !== null) this.#buffer.replace(menu.from, menu.typed)
      this.#close()
      return true
    }
    if (name !== 'return' || selected === null) return false
    this.#take(menu.from, selected.text, selected.kind)
    return true
  }

  #close(): void {
    this.#menu = null
    this.#wantsMenu = false
  }

  #endPaste(): void {
    const text = (this.#pasted ?? '').replace(/\r\n?/g, '\n')
    this.#pasted = null
    this.#close()
    if (this.#search === null) this.#buffer.insert(text)
  }

  #inSearch(name: string, text: string | undefined, key: Key): Wish | null {
    const search = this.#search
    if (search === null) return null
    const typed = textOf(text, key)
    if (typed !== null) this.#seek(search.query + typed, search.at ?? 0)
    else if (name === 'backspace' || name === 'ctrl-h') this.#seek([...search.query].slice(0, -1).join(''), 0)
    else if (name === 'ctrl-r') this.#seek(search.query, (search.at ?? -1) + 1)
    else if (name === 'ctrl-s') this.#seek(search.query, (search.at ?? 0) - 1, -1)
    else if (name === 'ctrl-g' || name === 'ctrl-c' || name === 'escape') this.#endSearch(search.before, search.at0)
    else {
      this.#endSearch(this.#history.entry(search.at) ?? search.before)
      return name === 'tab' || name === 'right' ? null : this.#pressed(name, text, key)
    }
    return null
  }

  /** Where nothing older is found, what was found stays. */
  #seek(query: string, from: number, step: 1 | -1 = 1): void {
    if (this.#search === null) return
    const at = this.#history.find(query, from, step)
    const isSame = query === this.#search.query
    this.#search = { ...this.#search, query, at: at ?? (isSame ? this.#search.at : null) }
  }

  #endSearch(text: string, at = text.length): void {
    this.#search = null
    this.#buffer.set(text, at)
  }

  /** What goes on behind the cursor, if it is taken: an entry of the history, else the first completion. */
  #suggested(): string {
    if (!this.#buffer.isAtEnd || this.#menu !== null || this.#isBody) return ''
    const { text } = this.#buffer
    const entry = this.#history.isAway ? null : this.#history.suggest(text)
    if (entry !== null) return entry.slice(text.length)
    if (this.#offer?.text !== text) return ''
    const { from, items } = this.#offer.view
    const word = text.slice(from)
    const [first] = items
    return word !== '' && first?.text.startsWith(word) === true ? first.text.slice(word.length) : ''
  }

  /** What is shown grey behind the cursor. */
  #hint(): string {
    const { text } = this.#buffer
    if (this.#isBody) return text.endsWith('\n') ? BODY_HINT : ''
    const suggested = this.#suggested()
    if (suggested !== '') return (suggested.split('\n')[0] ?? '') + (suggested.includes('\n') ? ' …' : '')
    if (this.#menu !== null || this.#offer?.text !== text) return ''
    const { usage } = this.#offer.view
    const name = text.trimEnd()
    const takes = usage?.startsWith(`${name} `) === true ? usage.slice(name.length) : ''
    return text.endsWith(' ') ? takes.trimStart() : takes
  }

  /** How it looks. Where nothing is typed on any more, without what is only suggested. */
  frame(prompt: Line, width: number, height: number, isOver = false): Frame {
    if (this.#search !== null && !isOver) return this.#searchFrame(width, height)
    const { text, at } = this.#buffer
    const hint = isOver ? '' : this.#hint()
    const below = (columns: number, rows: number): readonly Line[] =>
      isOver ? [] : (this.#menu?.lines(columns, rows) ?? [])
    return layOut({ prompt, text, at: isOver ? text.length : at, hint, below }, width, height)
  }

  #searchFrame(width: number, height: number): Frame {
    const { query, at } = this.#search ?? { query: '', at: null }
    const text = this.#history.entry(at) ?? ''
    const isExact = query !== query.toLowerCase()
    const from = at === null ? 0 : (isExact ? text : text.toLowerCase()).indexOf(query)
    const isLost = at === null && query !== ''
    const prompt: Line = [
      { text: isLost ? 'nothing found: ' : 'search: ', styles: [isLost ? 'red' : 'cyan'] },
      { text: query },
      { text: ' · ', styles: ['dim'] },
    ]
    const found = at === null || from === -1 ? null : { from, to: from + query.length }
    return layOut({ prompt, text, at: found?.from ?? 0, hint: '', found, below: () => [] }, width, height)
  }
}

const WISHES: ReadonlyMap<string, Wish> = new Map([
  ['ctrl-c', { kind: 'interrupt' }],
  ['ctrl-z', { kind: 'suspend' }],
  ['ctrl-l', { kind: 'clear-screen' }],
])

const MENU_STEPS: ReadonlyMap<string, 1 | -1> = new Map([
  ['tab', 1],
  ['down', 1],
  ['ctrl-n', 1],
  ['shift-tab', -1],
  ['up', -1],
  ['ctrl-p', -1],
])

function sharedStart(texts: readonly string[]): string {
  const [first = '', ...others] = texts
  let length = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1
  return first.slice(0, length)
}
