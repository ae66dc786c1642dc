import { LIMITS } from '@string-os/protocol'
import type { LiveTurn } from './live-turn.ts'
import type { TurnsParts } from './turns-parts.ts'

/** Brings what turns have said to the disk while they run, so that a daemon that dies does not take it along. */
export class KeptText {
  readonly #parts: TurnsParts
  readonly #running: () => readonly LiveTurn[]
  #timer: NodeJS.Timeout | null = null
  #isKeeping = false

  constructor(parts: TurnsParts, running: () => readonly LiveTurn[]) {
    this.#parts = parts
    this.#running = running
  }

  start(): void {
    this.#timer = setInterval(() => void this.#keep(), LIMITS.turnSaidMs).unref()
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
  }

  async #keep(): Promise<void> {
    const { store, log } = this.#parts
    if (this.#isKeeping) return
    this.#isKeeping = true
    try {
      for (const live of this.#running()) if (live.hasNews()) await store.turns.keep(live.turn, live.detail)
    } catch (error) {
      // At its end it is stored anyway.
      log.debug('What a turn says waits for the store', { cause: String(error) })
    } finally {
      this.#isKeeping = false
    }
  }
}
