import type { ExecResult, StringClient } from '@string-os/client'
import type { Topic } from '@string-os/protocol'
import type { PromptReader } from '../terminal/editor/prompt-reader.ts'
import type { Paint } from '../terminal/styled-text.ts'
import { pressedKeys } from './pressed-keys.ts'
import { BACK, visitNote } from './screen-visit.ts'
import { isShellAnswer, placeAfter, shellAnswer } from './shell-answer.ts'
import { openPart, rowsText, type ShownPart, shownPart, takesKeys } from './shown-part.ts'

/** What a key does is mostly there so soon; what takes longer is told when it comes. */
const KEY_MS = 30
/** That it reads lines again is no news, and looked for. */
const LOOK_MS = 200
/** Between two questions a program may look as if it read lines. */
const WITHOUT_KEYS_MS = 350

export interface PartVisitOptions {
  readonly client: StringClient
  readonly topic: Topic
  readonly reader: PromptReader
  readonly paint: Paint
  /** Up to where what the shell printed has been shown for good. */
  readonly seen: string
  readonly fit: () => Promise<void>
  /** What was typed before, and is the first that it gets. */
  readonly typed: string
  /** It ends when the program reads lines again. */
  readonly endsWithKeys: boolean
}

export interface PartVisitEnd {
  /** Null: the shell is not there any more, or nobody who could tell. */
  readonly result: ExecResult | null
  readonly isLeft: boolean
  readonly seen: string
  /** What it showed last. */
  readonly part: ShownPart | null
}

/** A program that gets every key, and whose rows are shown where the prompt was: what it prints stays above, as at any terminal. */
export class PartVisit {
  readonly #options: PartVisitOptions
  #keys: string[]
  #seen: string
  #part: ShownPart | null = null
  #drawn = ''
  #looking = new AbortController()
  #hadKeys = performance.now()
  #isLeft = false

  constructor(options: PartVisitOptions) {
    this.#options = options
    this.#seen = options.seen
    this.#keys = [...pressedKeys(options.typed)]
  }

  async run(): Promise<PartVisitEnd> {
    const { reader, fit } = this.#options
    reader.lend({
      take: (sent) => this.#press(sent),
      resize: () => void fit().catch(() => undefined),
      end: () => this.#leave(),
    })
    const result = await this.#follow()
    reader.giveBack()
    return { result, isLeft: this.#isLeft, seen: this.#seen, part: this.#part }
  }

  /** One request at a time: what is shown then never goes back. */
  async #follow(): Promise<ExecResult | null> {
    while (true) {
      const isLast = this.#isLeft && this.#keys.length === 0
      const result = await this.#ask()
      if (result === 'pressed') continue
      if (result === null || !isShellAnswer(result)) return null
      this.#show(result)
      if (isLast || !this.#goesOn(result)) return result
    }
  }

  #press(sent: string): void {
    const [before = '', ...behind] = sent.split(BACK)
    this.#keys.push(...pressedKeys(before))
    if (behind.length > 0) this.#isLeft = true
    this.#looking.abort()
  }

  #leave(): void {
    this.#isLeft = true
    this.#looking.abort()
  }

  /** 'pressed': a key came while nothing else did. */
  async #ask(): Promise<ExecResult | 'pressed' | null> {
    const { client, topic, paint } = this.#options
    const manner = { seen: this.#seen, styles: paint.color, drawn: 'all' } as const
    const keys = this.#keys
    if (keys.length > 0) {
      this.#keys = []
      return client.exec(topic.canonical, `//key ${keys.join(' ')}`, { ...manner, waitMs: KEY_MS }).catch(() => null)
    }
    this.#looking = new AbortController()
    const { signal } = this.#looking
    const waitMs = this.#isLeft ? 1 : LOOK_MS
    const looking = client.exec(topic.canonical, '//wait 1', { ...manner, waitMs, signal })
    return looking.catch(() => (signal.aborted ? 'pressed' : null))
  }

  #goesOn(result: ExecResult): boolean {
    const { screen, isRunning } = shellAnswer(result)
    if (takesKeys(result)) this.#hadKeys = performance.now()
    const isOver = this.#options.endsWithKeys && performance.now() - this.#hadKeys >= WITHOUT_KEYS_MS
    return isRunning && screen === null && !isOver
  }

  #show(result: ExecResult): void {
    const { stage } = this.#options.reader
    const part = shownPart(result)
    const drawn = JSON.stringify([part, stage.width, stage.height])
    // What has not changed would only flicker.
    if (drawn === this.#drawn) return
    this.#drawn = drawn
    this.#part = part
    if (part === null) {
      stage.change({ back: 0, text: shellAnswer(result).shown, part: null })
      this.#seen = placeAfter(result, this.#seen)
      return
    }
    const note = visitNote(this.#options.topic, stage.width)
    stage.change({ back: part.shown, text: rowsText(part.above), part: openPart(part, note) })
    this.#seen = part.place
  }
}
