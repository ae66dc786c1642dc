import { DEFAULT_SESSION, LIMITS, type TurnResultView } from '@string-os/protocol'
import type { PlacedAgent } from '../store/groups/agents.ts'
import type { TurnRow } from '../store/groups/turns.ts'
import { isoTime } from '../store/iso-time.ts'
import type { Groups } from '../store/store.ts'
import type { Afar } from './afar.ts'
import { endedResult } from './after-run.ts'
import { digestOf, joinedTurn, keepAsked, type Wanted } from './asking.ts'
import { beforeItBegan, type CancelReason } from './cancelled.ts'
import { otherMessage, sessionBusy, sessionFull, type Taken } from './not-taken.ts'
import type { TurnsParts } from './turns-parts.ts'

/** What can be asked here of agents that live on another node: it is stored, and that node is told to look. */
export class Elsewhere {
  readonly #parts: TurnsParts
  readonly #afar: Afar
  /** A turn whose id is above one that is stored already. */
  readonly #newTurn: (agentId: string, session: string, above: string) => TurnRow

  constructor(parts: TurnsParts, afar: Afar, newTurn: (agentId: string, session: string, above: string) => TurnRow) {
    this.#parts = parts
    this.#afar = afar
    this.#newTurn = newTurn
  }

  /** Under the lock of the agent, so that of two nodes one comes first. What only its profile can refuse is its result. */
  ask(agent: PlacedAgent, asked: Wanted): Promise<Taken> {
    return this.#parts.store.transaction(async (groups) => {
      await groups.agents.hold(agent.id)
      return (await this.#known(groups, agent.id, asked)) ?? this.#admit(groups, agent, asked)
    })
  }

  /** One that waits is over; one that runs is ended by its node, which is waited for. */
  async cancel(turn: TurnRow, reason: CancelReason): Promise<void> {
    if (await this.spare(turn, endedResult('CANCELLED', beforeItBegan(reason)))) return
    if (!(await this.#parts.store.relay.askCancel(turn.id, reason))) return
    await new Promise<void>((resolve) => {
      const end = this.#afar.follow(turn.id, 0, () => undefined, resolve)
      setTimeout(() => {
        end()
        resolve()
      }, LIMITS.turnCancelMs).unref()
    })
  }

  /** One that waits is over, and its node hears of it. False: it does not wait any more. */
  async spare(turn: TurnRow, result: TurnResultView): Promise<boolean> {
    const { store, clock } = this.#parts
    if (turn.state !== 'queued') return false
    const over: TurnRow = { ...turn, state: 'cancelled', code: 'CANCELLED', endedAt: isoTime(clock.now()), result }
    if (!(await store.turns.change(over))) return false
    await store.agents.hold(turn.agentId)
    await store.relay.changed(turn.id)
    return true
  }

  /** One that waits for its next try need not wait any longer. */
  async soon(turn: TurnRow): Promise<void> {
    const { store, clock } = this.#parts
    await store.transaction(async ({ agents, turns }) => {
      await agents.hold(turn.agentId)
      await turns.change({ ...turn, nextAt: isoTime(clock.now()) })
    })
  }

  async #known({ turns }: Groups, agentId: string, asked: Wanted): Promise<Taken | null> {
    const { requestId } = asked
    if (requestId === null) return null
    const since = isoTime(this.#parts.clock.now() - LIMITS.turnRequestMs)
    const same = await turns.request(agentId, requestId, since)
    if (same === null) return null
    return same.digest === digestOf(asked) ? { ok: true, turnId: same.turnId } : otherMessage(requestId)
  }

  async #admit(groups: Groups, { id: agentId, whenBusy }: PlacedAgent, asked: Wanted): Promise<Taken> {
    const session = asked.session || DEFAULT_SESSION
    const all = await groups.relay.openOf(agentId, '', LIMITS.removedAtOnce)
    const open = all.map(({ turn }) => turn).filter((turn) => turn.session === session)
    const running = open.find(({ state }) => state !== 'queued')
    const waiting = open.filter(({ state, eventId }) => state === 'queued' && eventId === null)
    const isBusy = running !== undefined || waiting.length > 0
    if (isBusy && whenBusy === 'refuse') return sessionBusy(session)
    if (waiting.length >= LIMITS.turnsWaiting + (running === undefined ? 1 : 0)) return sessionFull(session)
    const last = waiting.at(-1)
    if (whenBusy === 'collect' && last !== undefined) return this.#join(groups, last, asked)
    if (whenBusy === 'interrupt' && running?.eventId === null)
      await groups.relay.askCancel(running.id, 'newer_message' satisfies CancelReason)
    const { message, from, attachments, requestId } = asked
    const above =
      open
        .map(({ id }) => id)
        .toSorted()
        .at(-1) ?? ''
    const retryOf = asked.retryOf?.id ?? null
    const turn = { ...this.#newTurn(agentId, session, above), message, from, attachments, requestId, retryOf }
    await groups.turns.add(turn)
    await groups.relay.askNews(turn.id)
    await keepAsked(groups.turns, turn, asked, isoTime(this.#parts.clock.now()))
    return { ok: true, turnId: turn.id }
  }

  async #join(groups: Groups, last: TurnRow, asked: Wanted): Promise<Taken> {
    const longer = joinedTurn(last, asked)
    // It is locked with its agent only here; whoever runs it may have begun.
    if (!(await groups.turns.change(longer))) return sessionBusy(last.session)
    await keepAsked(groups.turns, longer, asked, isoTime(this.#parts.clock.now()))
    return { ok: true, turnId: last.id }
  }
}
