import { createInterface, emitKeypressEvents, type Key } from 'node:readline'
import { PassThrough } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

export interface KeyboardEvents {
  readonly onKey: (text: string | undefined, key: Key) => void
  /** The same as the terminal sent it, before it is taken apart into keys. */
  readonly onSent?: (sent: string) => void
  /** Nobody types any more. */
  readonly onEnd: () => void
  /** The terminal itself is gone. */
  readonly onGone: () => void
  /** The shell had the terminal, and whatever it wrote stands there now. */
  readonly onBack?: () => void
}

const BRACKETED_PASTE_ON = '\x1b[?2004h'
const BRACKETED_PASTE_OFF = '\x1b[?2004l'
const CLEAR_BELOW = '\x1b[J'
/** How long a lone Escape is waited on: it may be the beginning of another key. */
const ESCAPE_MS = 50
/** Nobody presses Ctrl-J so soon. */
const EARLY_MS = 300
/** So soon the system has stopped whatever it will stop. */
const STOP_MS = 100

const unheard = (): void => undefined

/** Key by key what is typed at the terminal; what is pasted is marked as such. */
export class Keyboard {
  readonly #events: KeyboardEvents
  readonly #onKey = (text: string | undefined, key: Key | undefined): void => this.#events.onKey(text, this.#meant(key))
  readonly #decoder = new StringDecoder('utf8')
  readonly #onData = (bytes: Buffer): void => this.#events.onSent?.(this.#decoder.write(bytes))
  readonly #onContinue = (): void => {
    this.#take()
    this.#events.onBack?.()
  }
  #takenAt = 0
  #isOver = false

  constructor(events: KeyboardEvents) {
    this.#events = events
    const { stdin } = process
    // The decoder of keys takes its patience from an interface; this one reads nothing.
    emitKeypressEvents(stdin, createInterface({ input: new PassThrough(), escapeCodeTimeout: ESCAPE_MS }))
    stdin.on('data', this.#onData)
    stdin.on('keypress', this.#onKey)
    stdin.on('end', events.onEnd)
    stdin.on('error', events.onGone)
    process.stdout.on('error', events.onGone)
    process.on('SIGCONT', this.#onContinue)
    this.#take()
  }

  /**
   * Lets the shell have the terminal until it gives it back. All that the shell has started as one stops, as when its own terminal
   * is told to: a program between the two would have the terminal, and read nothing. Where no shell would take over the
   * system stops nothing, and all goes on.
   */
  suspend(): void {
    this.#giveBack()
    // What is only offered stands behind the cursor and below it, where the shell writes next.
    process.stdout.write(CLEAR_BELOW)
    // What is typed from now on comes through the system.
    this.#takenAt = Number.POSITIVE_INFINITY
    process.kill(0, 'SIGTSTP')
    setTimeout(() => this.#takenAt === Number.POSITIVE_INFINITY && this.#onContinue(), STOP_MS)
  }

  /** Another program has the terminal meanwhile. */
  lend<T>(act: () => T): T {
    this.#giveBack()
    try {
      return act()
    } finally {
      this.#take()
    }
  }

  /** Whoever ended it hears of nothing any more, least of all that the terminal is gone to which this gives it back. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    const { stdin, stdout } = process
    // What nobody hears would end the program.
    for (const stream of [stdin, stdout]) {
      stream.off('error', this.#events.onGone)
      if (!stream.listeners('error').includes(unheard)) stream.on('error', unheard)
    }
    stdin.off('data', this.#onData)
    stdin.off('keypress', this.#onKey)
    stdin.off('end', this.#events.onEnd)
    process.off('SIGCONT', this.#onContinue)
    this.#giveBack()
    stdin.pause()
  }

  /** What was typed before the terminal was ours came through the system, which makes another character of Enter. */
  #meant(key: Key = {}): Key {
    const isEarly = performance.now() - this.#takenAt < EARLY_MS
    return isEarly && key.name === 'enter' ? { ...key, name: 'return', sequence: '\r' } : key
  }

  #take(): void {
    process.stdin.setRawMode(true)
    this.#takenAt = performance.now()
    process.stdin.resume()
    process.stdout.write(BRACKETED_PASTE_ON)
  }

  #giveBack(): void {
    process.stdout.write(BRACKETED_PASTE_OFF)
    try {
      process.stdin.setRawMode(false)
    } catch {
      // A terminal that is gone has no mode.
    }
  }
}
