import { LIMITS, type TurnEvent } from '@string-os/protocol'
import type { RelayStore } from '../store/groups/relay.ts'
import type { LiveTurn } from './live-turn.ts'

/** Lets other nodes hear what a turn says that runs here: in parts, bounded, and under its claim. */
export class PassingOn {
  readonly #relay: RelayStore

  constructor(relay: RelayStore) {
    this.#relay = relay
  }

  /** From now on, with all that it has said. */
  begin(live: LiveTurn): void {
    if (live.isPassedOn) return
    live.isPassedOn = true
    const { partial, steps } = live.detail
    const told = new Told(live, this.#relay)
    if (partial !== '') told.add({ type: 'partial', text: partial })
    for (const step of steps) told.add({ type: 'step', ...step })
    for (const approval of live.approvals) told.add({ type: 'approval', ...approval })
    live.follow((event) => told.add(event))
  }
}

class Told {
  readonly #live: LiveTurn
  readonly #relay: RelayStore
  #waiting: TurnEvent[] = []
  #chars = 0
  #claim = 0
  #isAwaited = false
  #isTelling = false

  constructor(live: LiveTurn, relay: RelayStore) {
    this.#live = live
    this.#relay = relay
  }

  /** How it begins and ends is in its row. */
  add(event: TurnEvent): void {
    const { claim } = this.#live.turn
    if (claim !== this.#claim) {
      this.#claim = claim
      this.#chars = 0
      this.#waiting = []
    }
    if (event.type !== 'partial' && event.type !== 'step' && event.type !== 'approval') return
    this.#chars += event.type === 'approval' ? event.detail.length : event.text.length
    // More than that nobody keeps of it.
    if (this.#chars > LIMITS.turnPartialChars + LIMITS.turnStepsChars) return
    this.#waiting.push(event)
    this.#tellLater()
  }

  #tellLater(): void {
    if (this.#isAwaited) return
    this.#isAwaited = true
    setTimeout(() => void this.#tell(), LIMITS.turnNewsMs).unref()
  }

  async #tell(): Promise<void> {
    this.#isAwaited = false
    if (this.#isTelling || this.#waiting.length === 0) return
    this.#isTelling = true
    const [events, claim] = [this.#waiting, this.#claim]
    this.#waiting = []
    try {
      await this.#relay.tell(this.#live.turn.id, claim, joined(events))
    } catch {
      // Whoever follows gets all of it at the end, when the store is back.
    }
    this.#isTelling = false
    if (this.#waiting.length > 0) this.#tellLater()
  }
}

/** Words that came one after the other are one text. */
function joined(events: readonly TurnEvent[]): TurnEvent[] {
  const all: TurnEvent[] = []
  for (const event of events) {
    const last = all.at(-1)
    if (event.type === 'partial' && last?.type === 'partial')
      all[all.length - 1] = { type: 'partial', text: last.text + event.text }
    else all.push(event)
  }
  return all
}
