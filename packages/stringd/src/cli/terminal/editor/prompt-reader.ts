import type { Key } from 'node:readline'
import { isTaller } from '../pager.ts'
import type { Line, Paint } from '../styled-text.ts'
import { AnswerPager } from './answer-pager.ts'
import { type AskCompletion, CompletionAsker } from './completion-asker.ts'
import type { History } from './history.ts'
import { Keyboard } from './keyboard.ts'
import { nameOf } from './keys.ts'
import { LineEditor, type Unfinished, type Wish } from './line-editor.ts'
import { Screen } from './screen.ts'

export interface PromptReaderOptions {
  readonly history: History
  /** What may stand where a text ends; null where that is not known. */
  readonly complete?: AskCompletion
  /** How a text goes on that is not complete. */
  readonly unfinished?: (text: string) => Unfinished | null
  /** Said at the first Ctrl-C at an empty prompt. */
  readonly farewell: Line
  /** What Ctrl-C at an empty prompt stands for, where that is not leaving. */
  readonly idleInterrupt?: () => string | null
  /** The terminal itself is gone. */
  readonly onGone: () => void
  readonly paint: Paint
}

/** Ctrl-C wants an end of what runs; Ctrl-D, or a terminal that is gone, only of the talk. */
export type BusyEnd = 'cancel' | 'leave'

interface Waiting {
  readonly kind: 'next' | 'ask'
  readonly prompt: Line
  readonly resolve: (text: string | null) => void
}

/** Whoever has the terminal for a while. */
export interface Guest {
  readonly press: (text: string | undefined, key: Key) => void
  /** The window has another size. */
  readonly resize: () => void
  /** The terminal is gone, or the talk is over. */
  readonly end: () => void
}

/** What a person types at a terminal, text by text; what is typed while nobody reads is kept for later. */
export class PromptReader {
  readonly #options: PromptReaderOptions
  readonly #screen: Screen
  readonly #keyboard: Keyboard
  readonly #editor: LineEditor
  readonly #questions = new LineEditor({ history: [] })
  readonly #asker: CompletionAsker
  readonly #onResize = (): void => (this.#guest === null ? this.#draw() : this.#guest.resize())
  #early: string[] = []
  #waiting: Waiting | null = null
  #onInterrupt: ((how: BusyEnd) => void) | null = null
  #isWarned = false
  #isClosed = false
  /** An answer of which there is more to show. */
  #pager: AnswerPager | null = null
  #guest: Guest | null = null

  constructor(options: PromptReaderOptions) {
    const { history, complete, unfinished, onGone, paint } = options
    this.#options = options
    this.#screen = new Screen(process.stdout, paint)
    this.#editor = new LineEditor({ history: history.entries, ...(unfinished === undefined ? {} : { unfinished }) })
    this.#asker = new CompletionAsker(complete, {
      text: () => (this.#waiting?.kind === 'next' ? this.#editor.completable : null),
      take: (text, view) => {
        if (this.#waiting?.kind === 'next' && this.#editor.offer(text, view)) this.#draw()
      },
      press: (text, key) => this.#press(text, key),
    })
    this.#keyboard = new Keyboard({ onKey: (text, key) => this.#press(text, key), onEnd: () => this.#leave(), onGone })
    process.stdout.on('resize', this.#onResize)
  }

  /** Shows the prompt and answers what was entered; null when the person left. */
  async next(prompt: Line): Promise<string | null> {
    const early = this.#early.shift()
    if (early === undefined) return this.#wait('next', prompt)
    const echo = new LineEditor({ history: [] })
    echo.insert(early)
    this.#screen.leave(echo.frame(prompt, this.#screen.width, this.#screen.height, true))
    return early
  }

  /** A question in between; null when it was not answered. */
  async ask(question: string, signal: AbortSignal): Promise<string | null> {
    if (signal.aborted) return null
    this.#editor.clear()
    const drop = (): void => {
      if (this.#waiting?.kind === 'ask') this.#finish()
      this.#answer('ask', null)
    }
    signal.addEventListener('abort', drop, { once: true })
    const answer = await this.#wait('ask', [{ text: question }])
    signal.removeEventListener('abort', drop)
    return answer
  }

  /** Writes something above the prompt, where one is shown. */
  print(text: string): void {
    this.#screen.erase()
    process.stdout.write(`${text}\n`)
    this.#draw()
  }

  /**
   * Writes an answer. Of one that is taller than the window, the top is shown, and the rest as the person asks for it; whoever
   * has typed the next command meanwhile is not asked.
   */
  async page(text: string): Promise<void> {
    const lines = text.split('\n')
    const isAsked = !this.#isClosed && this.#early.length === 0 && isTaller(lines, this.#screen)
    if (!isAsked) {
      process.stdout.write(`${text}\n`)
      return
    }
    await new Promise<void>((resolve) => {
      this.#screen.forget()
      this.#pager = new AnswerPager(lines, process.stdout, this.#screen, resolve)
    })
    this.#pager = null
  }

  /** The prompt that is shown becomes another. */
  changePrompt(prompt: Line): void {
    if (this.#waiting?.kind !== 'next') return
    this.#waiting = { ...this.#waiting, prompt }
    this.#draw()
  }

  /** Who hears of Ctrl-C, and of the person leaving, while nothing is read. */
  whileBusy(onInterrupt: (how: BusyEnd) => void): void {
    this.#onInterrupt = onInterrupt
    if (this.#isClosed) onInterrupt('leave')
  }

  /** The prompt that comes next is at the top of the window. */
  clear(): void {
    this.#screen.clear()
  }

  /** Somebody else has the whole terminal, keys and all, until it is given back. */
  lend(guest: Guest): void {
    this.#screen.forget()
    this.#guest = guest
    if (this.#isClosed) guest.end()
  }

  giveBack(): void {
    this.#guest = null
  }

  close(): void {
    this.#onInterrupt = null
    if (!this.#isClosed || this.#waiting !== null) this.#leave()
    process.stdout.off('resize', this.#onResize)
    this.#keyboard.end()
  }

  get #current(): LineEditor {
    return this.#waiting?.kind === 'ask' ? this.#questions : this.#editor
  }

  #wait(kind: Waiting['kind'], prompt: Line): Promise<string | null> {
    if (this.#isClosed) return Promise.resolve(null)
    return new Promise((resolve) => {
      this.#waiting = { kind, prompt, resolve }
      this.#screen.forget()
      this.#draw()
      this.#asker.anew()
    })
  }

  #draw(): void {
    if (this.#waiting === null || this.#guest !== null) return
    const { width, height } = this.#screen
    this.#screen.draw(this.#current.frame(this.#waiting.prompt, width, height))
  }

  #press(text: string | undefined, key: Key): void {
    if (this.#isClosed) return
    if (this.#guest !== null) return this.#guest.press(text, key)
    if (this.#pager !== null) {
      if (this.#pager.press(key)) return
      this.#pager = null
    }
    if (nameOf(key) !== 'ctrl-c' && this.#asker.holds(text, key)) return
    const wish = this.#current.press(text, key)
    if (wish === null) {
      // Each letter of a paste would be drawn by itself.
      if (this.#current.isPasting) return
      this.#draw()
      this.#asker.soon()
    } else if (wish.kind === 'complete') this.#asker.now()
    else this.#obey(wish)
  }

  #obey(wish: Exclude<Wish, { readonly kind: 'complete' }>): void {
    switch (wish.kind) {
      case 'enter':
        return this.#enter(wish.text)
      case 'interrupt':
        return this.#interrupt()
      case 'leave':
        return this.#leave()
      case 'suspend':
        return this.#keyboard.suspend(() => {
          this.#screen.forget()
          this.#draw()
        })
      case 'clear-screen':
        this.#screen.clear()
        return this.#draw()
    }
  }

  #enter(entered: string): void {
    const text = entered.trimEnd()
    const waiting = this.#waiting
    this.#isWarned = false
    this.#asker.stop()
    if (waiting?.kind !== 'ask') {
      this.#options.history.add(text)
      this.#editor.remember(text)
    }
    this.#finish()
    this.#current.clear()
    if (waiting === null) this.#early.push(text)
    else this.#answer(waiting.kind, text)
  }

  /** What stands there stays, without what was only suggested. */
  #finish(): void {
    if (this.#waiting === null) return
    const { width, height } = this.#screen
    this.#screen.leave(this.#current.frame(this.#waiting.prompt, width, height, true))
  }

  #answer(kind: Waiting['kind'], text: string | null): void {
    if (this.#waiting?.kind !== kind) return
    const { resolve } = this.#waiting
    if (kind === 'ask') this.#questions.clear()
    this.#waiting = null
    resolve(text)
  }

  #interrupt(): void {
    this.#asker.drop()
    if (this.#waiting?.kind === 'next') {
      this.#interruptPrompt()
      return
    }
    if (this.#waiting?.kind === 'ask') this.#finish()
    this.#editor.clear()
    this.#answer('ask', null)
    this.#early = []
    this.#onInterrupt?.('cancel')
  }

  #interruptPrompt(): void {
    const isEmpty = this.#editor.text === ''
    const meant = isEmpty ? (this.#options.idleInterrupt?.() ?? null) : null
    if (meant !== null) {
      this.#finishWith('^C')
      this.#answer('next', meant)
      return
    }
    if (isEmpty && this.#isWarned) {
      this.#leave()
      return
    }
    this.#isWarned = isEmpty
    if (isEmpty) {
      this.#finish()
      this.#screen.leave({ rows: [this.#options.farewell], cursor: { row: 0, column: 0 } })
    } else this.#finishWith('^C')
    this.#editor.clear()
    this.#draw()
  }

  #finishWith(mark: string): void {
    if (this.#waiting === null) return
    const { width, height } = this.#screen
    const frame = this.#editor.frame(this.#waiting.prompt, width, height, true)
    const last = frame.rows.at(-1) ?? []
    this.#screen.leave({ ...frame, rows: [...frame.rows.slice(0, -1), [...last, { text: mark, styles: ['dim'] }]] })
  }

  #leave(): void {
    if (this.#waiting !== null) this.#finish()
    this.#isClosed = true
    this.#pager?.end()
    this.#guest?.end()
    this.#asker.stop()
    this.#answer('next', null)
    this.#answer('ask', null)
    this.#onInterrupt?.('leave')
  }
}
