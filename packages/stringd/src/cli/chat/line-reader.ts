import { createInterface, type Interface, type Key } from 'node:readline'
import { LIMITS } from '@string-os/protocol'
import type { ChatHistory } from './history.ts'
import { Screen } from './screen.ts'

export interface LineReaderOptions {
  readonly history: ChatHistory
  readonly completions: readonly string[]
  /** Said at the first Ctrl-C at an empty prompt. */
  readonly hint: string
  /** The terminal itself is gone. */
  readonly onGone: () => void
}

interface Waiting {
  readonly kind: 'next' | 'ask'
  readonly resolve: (text: string | null) => void
}

const BRACKETED_PASTE_ON = '\x1b[?2004h'
const BRACKETED_PASTE_OFF = '\x1b[?2004l'

/**
 * What a person types in a terminal, message by message; what is typed while nobody reads is kept for later.
 * Terminals mark what is pasted, so several pasted lines are one message.
 */
export class LineReader {
  readonly #screen = new Screen()
  readonly #lines: Interface
  readonly #history: ChatHistory
  readonly #hint: string
  readonly #onGone: () => void
  /** Lines of a paste, before the one that is being edited. */
  #pasted: string[] = []
  #isPasting = false
  #early: string[] = []
  #waiting: Waiting | null = null
  #onInterrupt: (() => void) | null = null
  #isWarned = false
  #isClosed = false
  #findable: string[]

  constructor({ history, completions, hint, onGone }: LineReaderOptions) {
    this.#history = history
    this.#hint = hint
    this.#onGone = onGone
    this.#findable = [...history.lines]
    this.#lines = createInterface({
      input: process.stdin,
      output: this.#screen,
      terminal: true,
      history: [...history.lines],
      historySize: LIMITS.chatHistoryLines,
      removeHistoryDuplicates: true,
      completer: (line: string) => [completions.filter((name) => line !== '' && name.startsWith(line)), line],
    })
    this.#listen()
    process.stdout.write(BRACKETED_PASTE_ON)
  }

  /** Shows the prompt and answers what was entered; null when the person left. */
  async next(prompt: string): Promise<string | null> {
    const early = this.#early.shift()
    if (early === undefined) return this.#wait('next', prompt)
    process.stdout.write(`${prompt}${early}\n`)
    return early
  }

  /** A question in between; null when it was not answered. */
  async ask(question: string, signal: AbortSignal): Promise<string | null> {
    if (signal.aborted) return null
    this.#clear()
    signal.addEventListener('abort', () => this.#answer('ask', null), { once: true })
    return this.#wait('ask', question)
  }

  /** Who hears of Ctrl-C, and of the person leaving, while nothing is read. */
  whileBusy(onInterrupt: () => void): void {
    this.#onInterrupt = onInterrupt
    if (this.#isClosed) onInterrupt()
  }

  close(): void {
    this.#onInterrupt = null
    this.#leave()
    this.#lines.close()
    process.stdout.write(BRACKETED_PASTE_OFF)
  }

  #listen(): void {
    this.#lines.on('line', (line) => this.#enter(line))
    this.#lines.on('SIGINT', () => this.#interrupt())
    this.#lines.on('close', () => this.#leave())
    // After Ctrl-Z and fg nothing is read until somebody asks for it.
    this.#lines.on('SIGCONT', () => this.#lines.resume())
    this.#lines.on('history', (all: string[]) => {
      // An answer to a question is nothing to find again.
      if (this.#waiting?.kind === 'ask') all.splice(0, all.length, ...this.#findable)
      this.#findable = [...all]
    })
    process.stdin.on('error', this.#onGone)
    // A terminal that is gone cannot even be left.
    this.#lines.on('error', this.#onGone)
    process.stdin.on('keypress', (_text: string | undefined, key: Key | undefined) => {
      if (key?.name === 'paste-start') this.#isPasting = true
      if (key?.name === 'paste-end') this.#isPasting = false
    })
  }

  #wait(kind: Waiting['kind'], prompt: string): Promise<string | null> {
    if (this.#isClosed) return Promise.resolve(null)
    this.#screen.isMuted = false
    this.#lines.setPrompt(prompt)
    this.#lines.prompt(true)
    return new Promise((resolve) => {
      this.#waiting = { kind, resolve }
    })
  }

  #answer(kind: Waiting['kind'], text: string | null): void {
    if (this.#waiting?.kind !== kind) return
    const { resolve } = this.#waiting
    this.#waiting = null
    this.#screen.isMuted = true
    resolve(text)
  }

  #enter(line: string): void {
    this.#isWarned = false
    if (this.#waiting?.kind !== 'ask') this.#history.add(line)
    if (this.#isPasting) {
      this.#pasted.push(line)
      return
    }
    const text = [...this.#pasted, line].join('\n').trimEnd()
    this.#pasted = []
    if (this.#waiting === null) this.#early.push(text)
    else this.#answer(this.#waiting.kind, text)
  }

  #interrupt(): void {
    if (this.#waiting?.kind === 'next') {
      this.#interruptPrompt()
      return
    }
    this.#clear()
    this.#answer('ask', null)
    this.#early = []
    this.#onInterrupt?.()
  }

  #interruptPrompt(): void {
    const isEmpty = this.#lines.line === '' && this.#pasted.length === 0
    if (isEmpty && this.#isWarned) {
      this.#lines.close()
      return
    }
    this.#isWarned = isEmpty
    process.stdout.write(isEmpty ? `\n${this.#hint}\n` : '^C\n')
    this.#clear()
    this.#lines.prompt()
  }

  #leave(): void {
    this.#isClosed = true
    this.#answer('next', null)
    this.#answer('ask', null)
    this.#onInterrupt?.()
  }

  /** Forgets what was typed so far, unseen. */
  #clear(): void {
    const { isMuted } = this.#screen
    this.#screen.isMuted = true
    this.#pasted = []
    this.#lines.write(null, { ctrl: true, name: 'e' })
    this.#lines.write(null, { ctrl: true, name: 'u' })
    this.#screen.isMuted = isMuted
  }
}
