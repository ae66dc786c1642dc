import { setTimeout as sleep } from 'node:timers/promises'
import type { Profile } from '@string-os/bridge'
import { LIMITS, type TurnTryView } from '@string-os/protocol'
import type { AgentSession } from '../store/groups/agent-sessions.ts'
import type { TurnRow } from '../store/groups/turns.ts'
import { isoTime } from '../store/iso-time.ts'
import type { AgentCaps, Reached } from './caps.ts'
import type { LiveTurn } from './live-turn.ts'
import { OneAtATime } from './one-at-a-time.ts'
import { PAUSE_MS, type TurnsParts } from './turns-parts.ts'

/** What became of the wish to run a turn. */
export type Begun =
  | { readonly kind: 'begun'; readonly turn: TurnRow }
  | { readonly kind: 'gone' }
  /** The store cannot be asked now. */
  | { readonly kind: 'away' }
  | { readonly kind: 'cap'; readonly cap: Reached }

/** Whose a turn is: it is claimed before it runs, the claim is renewed while it does, and without it the run ends. */
export class Claims {
  readonly #parts: TurnsParts
  readonly #caps: AgentCaps
  /** By agent: between the look at what it has used and the claim nobody else uses it. */
  readonly #claiming = new OneAtATime()

  constructor(parts: TurnsParts, caps: AgentCaps) {
    this.#parts = parts
    this.#caps = caps
  }

  /** The claim, unless the agent has used what it may. */
  begin(live: LiveTurn, profile: Profile | null): Promise<Begun> {
    if (profile === null) return this.#claim(live)
    const { agentId } = live.turn
    const begin = async (): Promise<Begun> => {
      const cap = await this.#orAway(() => this.#caps.reached(agentId, profile))
      if (!cap.ok) return { kind: 'away' }
      return cap.value === null ? this.#claim(live) : { kind: 'cap', cap: cap.value }
    }
    const { turns_per_hour } = profile.limits
    return turns_per_hour === undefined ? begin() : this.#claiming.run(agentId, begin)
  }

  /** What is known of its session, as soon as the store can be asked: without that, the agent would begin another one. */
  async session({ turn: { agentId, session }, signal }: LiveTurn): Promise<AgentSession | null> {
    for (;;) {
      const known = await this.#orAway(() => this.#parts.store.sessions.get(agentId, session))
      if (known.ok) return known.value
      // What is to end is not run.
      if (signal.aborted) return null
      await sleep(PAUSE_MS)
    }
  }

  /** The runs of it that failed before, and what the last one left on standard error. */
  async before(id: string): Promise<{ readonly tries: readonly TurnTryView[]; readonly stderr: string }> {
    const detail = await this.#orAway(() => this.#parts.store.turns.detail(id))
    const { tries = [], stderr = '' } = (detail.ok ? detail.value : null) ?? {}
    return { tries, stderr }
  }

  /** Work whose claim is lost, or cannot be kept, ends. */
  async renew(running: readonly LiveTurn[]): Promise<void> {
    if (running.length === 0) return
    const began = performance.now()
    try {
      const kept = new Set(await this.#parts.store.turns.renew(running.map(({ turn }) => turn)))
      for (const live of running) {
        if (kept.has(live.turn.id)) live.renewedAt = began
        else if (!live.isOver) live.stop('lost')
      }
    } catch {
      for (const live of running) if (began - live.renewedAt > LIMITS.leaseEndMs) live.stop('lost')
    }
  }

  async #claim({ turn }: LiveTurn): Promise<Begun> {
    const { store, holder } = this.#parts
    const claimed = await this.#orAway(() => store.turns.claim(turn.id, holder, isoTime(this.#parts.clock.now())))
    if (!claimed.ok) return { kind: 'away' }
    return claimed.value === null ? { kind: 'gone' } : { kind: 'begun', turn: claimed.value }
  }

  async #orAway<T>(ask: () => Promise<T>): Promise<{ ok: true; value: T } | { ok: false }> {
    try {
      return { ok: true, value: await ask() }
    } catch (error) {
      this.#parts.log.warn('A turn could not ask the store', { cause: String(error) })
      return { ok: false }
    }
  }
}
