import { lastWord } from './last-word.ts'

/** Goes through what was typed before, the newest first. */
export class HistoryWalk {
  #entries: string[]
  #at = -1
  /** Where the walk was before each step. */
  #passed: number[] = []
  /** What was being typed when the walk began. */
  #draft = ''
  /** What was typed here, and not before. */
  readonly #own = new Set<string>()
  /** What was a mistake is found again, and not suggested. */
  readonly #refused: Set<string>

  constructor(entries: readonly string[], refused: Iterable<string> = []) {
    this.#entries = unique(entries)
    this.#refused = new Set(refused)
  }

  get isAway(): boolean {
    return this.#at !== -1
  }

  add(text: string): void {
    if (text.trim() !== '') this.#entries = unique([text, ...this.#entries])
    this.#own.add(text)
    this.#refused.delete(text)
    this.rest()
  }

  refuse(text: string): void {
    this.#refused.add(text)
  }

  /** Back to what is being typed. */
  rest(): void {
    this.#at = -1
    this.#passed = []
    this.#draft = ''
  }

  /** What was typed before and belongs elsewhere is passed over: it is found by a search. */
  older(current: string, belongs: (entry: string) => boolean = () => true): string | null {
    const at = this.#entries.findIndex((entry, index) => index > this.#at && (this.#own.has(entry) || belongs(entry)))
    const entry = this.#entries[at]
    if (entry === undefined) return null
    if (this.#at === -1) this.#draft = current
    this.#passed.push(this.#at)
    this.#at = at
    return entry
  }

  newer(): string | null {
    if (this.#at === -1) return null
    this.#at = this.#passed.pop() ?? -1
    return this.#at === -1 ? this.#draft : (this.#entries[this.#at] ?? '')
  }

  /** The newest entry that goes on where a text ends, of those that fit where it is typed. */
  suggest(text: string, fits: (entry: string) => boolean): string | null {
    if (text === '') return null
    const goesOn = (entry: string): boolean => entry.length > text.length && entry.startsWith(text)
    return this.#entries.find((entry) => goesOn(entry) && !this.#refused.has(entry) && fits(entry)) ?? null
  }

  /** Newest first. */
  get entries(): readonly string[] {
    return this.#entries
  }

  /** The last word of the next entry that fits, from `from` on. */
  lastWord(from: number, fits: (entry: string) => boolean): { readonly word: string; readonly at: number } | null {
    const at = this.#entries.findIndex((entry, index) => index >= from && lastWord(entry) !== '' && fits(entry))
    return at === -1 ? null : { word: lastWord(this.#entries[at] ?? ''), at }
  }

  /** All that hold a text, the newest first. Lower case finds both. */
  holding(query: string): readonly string[] {
    const isExact = query !== query.toLowerCase()
    return this.#entries.filter((entry) => (isExact ? entry : entry.toLowerCase()).includes(query))
  }
}

function unique(entries: readonly string[]): string[] {
  return [...new Set(entries)]
}
