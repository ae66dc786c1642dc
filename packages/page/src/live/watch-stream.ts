import type { WatchMessage } from '@string-os/client/browser'
import { daemon } from '../data/calls.ts'
import type { Connection, Frame } from './frame.ts'

export interface WatchEvents {
  readonly onFrame: (frame: Frame) => void
  readonly onConnection: (connection: Connection) => void
  readonly onSeq: (seq: number) => void
}

/** How long a daemon that refuses the stream is left alone. */
const REFUSED_MS = 3_000

/** One `GET /watch` that is kept open: after a break it goes on where it was. */
export class WatchStream {
  readonly #events: WatchEvents
  /** How much of the text of each turn came, in bytes. */
  readonly #offsets = new Map<string, number>()
  #follow: readonly string[] = []
  #seq: number | null
  #current: AbortController | null = null
  #lostAt: number | null = null

  constructor(seq: number | null, events: WatchEvents) {
    this.#seq = seq
    this.#events = events
  }

  /** Follows the text of these turns from now on. */
  follow(turns: readonly string[]): void {
    if (this.#current !== null && turns.join() === this.#follow.join()) return
    this.#follow = turns
    for (const turn of this.#offsets.keys()) if (!turns.includes(turn)) this.#offsets.delete(turn)
    this.open()
  }

  open(): void {
    this.#current?.abort()
    const current = new AbortController()
    this.#current = current
    void this.#read(current.signal)
  }

  async #read(signal: AbortSignal): Promise<void> {
    const follow = this.#follow.map((turn) => [turn, this.#offsets.get(turn) ?? 0] as const)
    try {
      for await (const message of daemon.watch({ since: this.#seq ?? undefined, follow, signal, waits: true })) {
        if (signal.aborted) return
        this.#take(message)
      }
    } catch {
      // It was refused: the daemon may be another by now, or have no room.
      if (signal.aborted) return
      this.#lost()
      setTimeout(() => {
        if (!signal.aborted) this.open()
      }, REFUSED_MS)
    }
  }

  #take(message: WatchMessage): void {
    if (message.type === 'ready' || message.type === 'reset' || message.type === 'change') {
      this.#seq = message.seq
      this.#events.onSeq(message.seq)
    }
    if (message.type === 'lost') this.#lost()
    else if (message.type === 'ready') this.#isReady()
    else if (message.type === 'reset') this.#events.onFrame({ kind: 'reset' })
    else if (message.type === 'change') this.#events.onFrame({ kind: 'change', change: message })
    else if (message.type === 'text') {
      this.#offsets.set(message.turn_id, message.offset + new TextEncoder().encode(message.text).length)
      this.#events.onFrame({ kind: 'text', text: message })
    }
  }

  #isReady(): void {
    this.#lostAt = null
    this.#events.onConnection({ kind: 'live' })
  }

  #lost(): void {
    this.#lostAt ??= Date.now()
    this.#events.onConnection({ kind: 'lost', since: this.#lostAt })
  }
}
