import type { CompletionView } from '@string-os/protocol'
import type { Line } from '../styled-text.ts'
import { CompletionMenu } from './completion-menu.ts'
import type { TextBuffer } from './text-buffer.ts'

const STEPS: ReadonlyMap<string, 1 | -1> = new Map([
  ['tab', 1],
  ['down', 1],
  ['ctrl-n', 1],
  ['shift-tab', -1],
  ['up', -1],
  ['ctrl-p', -1],
])

/** Of these there may be one that nobody has named yet, or more must follow: the person sees what was taken before it runs. */
const SEEN_FIRST: ReadonlySet<string> = new Set(['command', 'file', 'folder', 'variable'])

/** What may follow a text: as a menu when it is asked for, else as a suggestion behind the cursor. */
export class Completing {
  readonly #buffer: TextBuffer
  #offer: { readonly text: string; readonly view: CompletionView } | null = null
  #menu: CompletionMenu | null = null
  /** A key that was pressed when what there is was not known yet: Tab, or one that goes through the menu. */
  #wanted: string | null = null
  /** For which text Enter has asked what is left of the menu. */
  #enteredAt: string | null = null

  constructor(buffer: TextBuffer) {
    this.#buffer = buffer
  }

  get isOpen(): boolean {
    return this.#menu !== null
  }

  /** What there is for a text has become known. Answers whether it was asked for in vain. */
  offer(text: string, view: CompletionView): boolean {
    this.#offer = { text, view }
    const wanted = this.#wanted
    this.#wanted = null
    if (this.#menu === null) {
      if (wanted === null) return false
      this.#complete(view)
      return view.items.length === 0
    }
    if (this.#menu.selected === null) {
      this.#menu = this.#menuOf(view)
      if (wanted !== null) this.press(wanted)
    }
    return false
  }

  /** Completes with what is known, which may be nothing; null: that must be asked for first. */
  tab(): 'done' | 'nothing' | null {
    const known = this.#known()
    if (known === null) this.#wanted = 'tab'
    else this.#complete(known)
    if (known === null) return null
    return known.items.length === 0 ? 'nothing' : 'done'
  }

  /**
   * Enter, where nothing was chosen: of a menu that typing has narrowed to one entry, that is taken. 'run': and the line is
   * complete; 'ask': what is left must be asked for first, and Enter comes again then.
   */
  enter(): 'run' | 'taken' | 'ask' | null {
    const menu = this.#menu
    if (menu === null || menu.selected !== null) return null
    const { before } = this.#buffer
    const known = this.#known()
    if (known === null && this.#enteredAt !== before) {
      this.#enteredAt = before
      return 'ask'
    }
    const [only] = known?.items ?? []
    const typed = before.slice(known?.from)
    if (known === null || only === undefined || known.total !== 1 || typed === only.text) return null
    // What only holds what was typed may well be another than the new one that is meant.
    if (SEEN_FIRST.has(only.kind) && !goesOn(only.text, typed)) return null
    this.#take(known.from, only.text, only.kind)
    return SEEN_FIRST.has(only.kind) ? 'taken' : 'run'
  }

  /** Whether a key was for the menu; 'ask': what it goes through must be asked for first, because more has been typed. */
  press(name: string): boolean | 'ask' {
    const menu = this.#menu
    if (menu === null) return false
    const { selected } = menu
    const step = STEPS.get(name)
    if (step !== undefined) {
      if (selected === null && this.#buffer.before.slice(menu.from) !== menu.typed) {
        this.#wanted = name
        return 'ask'
      }
      const [only] = menu.items
      if (name === 'tab' && menu.items.length === 1 && only !== undefined) {
        this.#take(menu.from, only.text, only.kind)
        return true
      }
      menu.move(step)
      this.#buffer.replace(menu.from, menu.selected?.text ?? menu.typed)
      return true
    }
    if (name === 'escape' || name === 'ctrl-g') {
      if (selected !== null) this.#buffer.replace(menu.from, menu.typed)
      this.close()
      return true
    }
    if (name !== 'return' || selected === null) return false
    this.#take(menu.from, selected.text, selected.kind)
    return true
  }

  /** Something was typed on: a menu out of which nothing was chosen is narrowed, any other goes. */
  typedOn(): void {
    this.#wanted = null
    if (this.#menu !== null && this.#menu.selected !== null) this.#menu = null
  }

  close(): void {
    this.#menu = null
    this.#wanted = null
  }

  /** How the word under the cursor would go on. */
  suggested(): string {
    const view = this.#known()
    const word = view === null ? '' : this.#buffer.before.slice(view.from)
    const first = view?.items[0]?.text ?? ''
    return word !== '' && first.startsWith(word) ? first.slice(word.length) : ''
  }

  /** What the command that stands there alone takes. */
  usage(): string {
    const { text } = this.#buffer
    const usage = this.#known()?.usage ?? null
    const name = text.trimEnd()
    const takes = usage?.startsWith(`${name} `) === true ? usage.slice(name.length) : ''
    return text.endsWith(' ') ? takes.trimStart() : takes
  }

  /** Why there is nothing. */
  note(): string {
    return this.#known()?.note ?? ''
  }

  lines(width: number, height: number): readonly Line[] {
    return this.#menu?.lines(width, height) ?? []
  }

  #known(): CompletionView | null {
    return this.#offer?.text === this.#buffer.before ? this.#offer.view : null
  }

  /** Takes what is certain; of several, shows all. */
  #complete(view: CompletionView): void {
    this.#wanted = null
    const { items, from, total } = view
    const [only] = items
    if (only === undefined) return
    if (total === 1) {
      this.#take(from, only.text, only.kind)
      return
    }
    const shared = sharedStart(items.map(({ text }) => text))
    const typed = this.#buffer.before.slice(from)
    // Where nothing is typed, flags are one thing of several that may come: a line that has dashes by itself takes no value any more.
    const isFlags = typed === '' && shared.startsWith('-')
    const isLonger = total === items.length && shared.length > typed.length && goesOn(shared, typed) && !isFlags
    // What they share may be another one whole, which nobody has chosen: Enter would take it for the first.
    const isAnother = isLonger && only.text !== shared && items.some(({ text }) => text === shared)
    if (isLonger && !isAnother) this.#buffer.replace(from, shared)
    this.#menu = this.#menuOf(view)
    if (isAnother) this.press('tab')
  }

  /** Behind a whole word a blank; a folder goes on. */
  #take(from: number, text: string, kind: string): void {
    const isOpen = kind === 'folder' && !text.endsWith("'")
    const isApart = this.#buffer.text.charAt(this.#buffer.at) === ' '
    this.#buffer.replace(from, isOpen || isApart ? text : `${text} `)
    this.close()
  }

  #menuOf({ items, from, total }: CompletionView): CompletionMenu | null {
    return items.length === 0 ? null : new CompletionMenu(items, from, this.#buffer.before.slice(from), total)
  }
}

function goesOn(text: string, typed: string): boolean {
  return text.toLowerCase().startsWith(typed.toLowerCase())
}

function sharedStart(texts: readonly string[]): string {
  const [first = '', ...others] = texts
  let length = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1
  return first.slice(0, length)
}
