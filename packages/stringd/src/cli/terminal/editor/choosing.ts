import type { Key } from 'node:readline'
import { fitText, widthOf } from '../cells.ts'
import type { Line } from '../styled-text.ts'
import { CompletionMenu } from './completion-menu.ts'
import { EDITING, nameOf, typedBy } from './keys.ts'
import type { Frame } from './layout.ts'
import { TextBuffer } from './text-buffer.ts'

/** Something to choose, by its place in the list. */
export interface Choice {
  readonly name: string
  readonly about: string
  /** What it is found by beside its name. */
  readonly command?: string
}

/** How a person went away who would rather not choose. */
export type Left = 'left' | 'interrupted'

/** What a key led to: the place of what was chosen, or how the person left; null: it goes on. */
export type Chosen = number | Left | 'suspend' | null

const STEPS: ReadonlyMap<string, 1 | -1> = new Map([
  ['down', 1],
  ['tab', 1],
  ['ctrl-n', 1],
  ['up', -1],
  ['shift-tab', -1],
  ['ctrl-p', -1],
])

/** What keys do, as far as there is room. */
const KEYS = ['type to filter, ↑ ↓ choose, Enter talks, Esc leaves', 'type, ↑ ↓, Enter, Esc', 'type, Enter, Esc']
const KEYS_FILTERED = ['↑ ↓ choose, Enter talks, Esc clears', '↑ ↓, Enter, Esc clears', 'Enter, Esc']

/** A list of which one is chosen: what is typed narrows it. It reads and writes nothing itself. */
export class Choosing {
  readonly #title: string
  readonly #choices: readonly Choice[]
  readonly #filter = new TextBuffer()
  #found: readonly Choice[]
  #menu: CompletionMenu
  /** What is pasted is text, whatever keys its characters are. */
  #isPasting = false

  constructor(title: string, choices: readonly Choice[]) {
    this.#title = title
    this.#choices = choices
    this.#found = choices
    this.#menu = menuOf(choices)
  }

  press(text: string | undefined, key: Key): Chosen {
    const name = nameOf(key)
    if (name === 'paste-start' || name === 'paste-end') this.#isPasting = name === 'paste-start'
    else if (this.#isPasting) this.#type(text, key)
    else return this.#pressed(name, text, key)
    return null
  }

  frame(width: number, height: number): Frame {
    const { head, column } = this.#head(width)
    const rows = this.#found.length === 0 ? [nothing(width)] : this.#menu.lines(width, height - 2)
    return { rows: [head, ...rows], cursor: { row: 0, column } }
  }

  #pressed(name: string, text: string | undefined, key: Key): Chosen {
    const { selected } = this.#menu
    const step = STEPS.get(name)
    if (name === 'return') return selected === null ? null : this.#placeOf(this.#menu.items.indexOf(selected))
    if (name === 'ctrl-c') return 'interrupted'
    if (name === 'ctrl-z') return 'suspend'
    const isEmpty = this.#filter.text === ''
    if (isEmpty && (name === 'escape' || name === 'ctrl-d')) return 'left'
    if (name === 'escape' || name === 'ctrl-g') this.#edit((filter) => filter.clear())
    else if (step !== undefined && this.#found.length > 0) this.#menu.move(step)
    else this.#type(text, key)
    return null
  }

  #type(text: string | undefined, key: Key): void {
    const name = nameOf(key)
    const typed = typedBy(text, key)
    const edit = this.#isPasting ? undefined : EDITING.get(name)
    if (edit !== undefined && !MORE_LINES.has(name)) this.#edit(edit)
    else if (typed !== null) this.#edit((filter) => filter.insert(typed))
  }

  #edit(change: (filter: TextBuffer) => void): void {
    const before = this.#filter.text
    change(this.#filter)
    if (this.#filter.text === before) return
    this.#found = matching(this.#choices, this.#filter.text)
    this.#menu = menuOf(this.#found)
  }

  #placeOf(index: number): number | null {
    const choice = this.#found[index]
    return choice === undefined ? null : this.#choices.indexOf(choice)
  }

  /** The question, and behind it what is typed: of what is too long, its end. */
  #head(width: number): { readonly head: Line; readonly column: number } {
    const { text, before } = this.#filter
    const title = fitText(this.#title, Math.max(1, width - 8))
    const room = width - widthOf(title) - 2
    const shown = widthOf(text) <= room ? text : endOf(text, room)
    const at = shown === text ? widthOf(before) : widthOf(shown)
    const left = room - widthOf(shown) - 2
    const keys = (text === '' ? KEYS : KEYS_FILTERED).find((each) => widthOf(each) <= left) ?? ''
    const head = [
      { text: `${title} ` },
      { text: shown, styles: ['bold'] as const },
      { text: keys === '' ? '' : `  ${keys}`, styles: ['dim'] as const },
    ]
    return { head, column: widthOf(title) + 1 + at }
  }
}

const MORE_LINES: ReadonlySet<string> = new Set(['newline', 'alt-return', 'alt-enter'])

function menuOf(choices: readonly Choice[]): CompletionMenu {
  const menu = new CompletionMenu(
    choices.map(({ name, about }) => ({ text: name, kind: 'value' as const, about })),
    0,
    '',
  )
  if (choices.length > 0) menu.move(1)
  return menu
}

/** Those that hold every word that was typed; who is called so comes before what is only run so. */
function matching(choices: readonly Choice[], typed: string): readonly Choice[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const holds = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word))
  const named = choices.filter(({ name }) => holds(name))
  const run = choices.filter(({ name, command = '' }) => !holds(name) && holds(`${name} ${command}`))
  return [...named, ...run]
}

function nothing(width: number): Line {
  return [{ text: fitText('  nothing matches: Backspace, or Esc shows all', width - 1), styles: ['dim'] }]
}

function endOf(text: string, room: number): string {
  const characters = Array.from(text)
  while (characters.length > 0 && widthOf(characters.join('')) > room - 1) characters.shift()
  return `…${characters.join('')}`
}
