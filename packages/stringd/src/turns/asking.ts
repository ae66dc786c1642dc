import { hash } from 'node:crypto'
import type { Profile } from '@string-os/bridge'
import { DEFAULT_SESSION, LIMITS, type TurnAsked } from '@string-os/protocol'
import type { Agent } from '../store/agents.ts'
import type { TurnNamed, TurnRequestRow, TurnRow } from '../store/groups/turns.ts'
import { isoTime } from '../store/iso-time.ts'
import type { Groups } from '../store/store.ts'
import { LiveTurn } from './live-turn.ts'
import { notTaken, otherMessage, overCap, sessionBusy, sessionFull, type Taken } from './not-taken.ts'
import { OneAtATime } from './one-at-a-time.ts'
import { firstRequest } from './run-agent.ts'
import type { Runner } from './runner.ts'
import type { TurnsParts } from './turns-parts.ts'

/** What somebody asks for, and the turn whose message it is, where it was given to the agent before. */
export interface Wanted extends TurnAsked {
  readonly retryOf?: TurnNamed
}

/** Takes what people ask for: whether it may be, where it stands, and that it is stored once. */
export class Asking {
  readonly #parts: TurnsParts
  readonly #runner: Runner
  readonly #newTurn: (agentId: string, session: string) => TurnRow
  /** By agent and request, so that nobody overtakes whoever is about to be stored. */
  readonly #asking = new OneAtATime()

  constructor(parts: TurnsParts, runner: Runner, newTurn: (agentId: string, session: string) => TurnRow) {
    this.#parts = parts
    this.#runner = runner
    this.#newTurn = newTurn
  }

  /** Takes a person's message. The same `request_id` is the same turn, also while it is being taken. */
  ask(agent: Agent, asked: Wanted): Promise<Taken> {
    const { requestId } = asked
    if (requestId === null) return this.#ask(agent, asked)
    return this.#asking.run(`${agent.id}\0${requestId}`, async () => {
      const known = await this.#known(agent.id, asked, requestId)
      return known ?? this.#ask(agent, asked)
    })
  }

  async #ask(agent: Agent, asked: Wanted): Promise<Taken> {
    const found = await this.#parts.profiles.of(agent)
    if (!found.ok) return notTaken(409, 'NO_PROFILE', found.error)
    const refused = await whyRefused(found.profile, asked)
    if (refused !== null) return notTaken(400, 'INVALID_TARGET', refused)
    const cap = await this.#runner.caps.reached(agent.id, found.profile)
    if (cap !== null) return overCap(cap, this.#now())
    return this.#admit(agent, asked, found.profile)
  }

  /** What an earlier request under this id has become; null when there was none. */
  async #known(agentId: string, asked: TurnAsked, requestId: string): Promise<Taken | null> {
    const known = await this.#parts.store.turns.request(agentId, requestId, this.#since())
    return known === null ? null : same(known, asked)
  }

  #since(): string {
    return isoTime(this.#now() - LIMITS.turnRequestMs)
  }

  /** From here to the place in the lane nothing waits, so that the order is that of the requests. */
  #admit(agent: Agent, asked: Wanted, profile: Profile): Promise<Taken> {
    const { whenBusy } = profile
    const session = asked.session || DEFAULT_SESSION
    const lane = this.#runner.lanes.of(agent.id, session)
    const waiting = lane.waiting.filter(({ isAsked }) => isAsked)
    const isBusy = lane.running !== null || waiting.length > 0
    if (isBusy && whenBusy === 'refuse') return Promise.resolve(sessionBusy(session))
    const amount = waiting.reduce((sum, { messages }) => sum + messages, 0)
    // Where none runs yet, the first of them is about to.
    const most = LIMITS.turnsWaiting + (lane.running === null ? 1 : 0)
    if (amount >= most) return Promise.resolve(sessionFull(session))
    const [last] = waiting.slice(-1)
    if (isBusy && whenBusy === 'collect' && last !== undefined) return this.#join(agent, asked, profile, last)
    if (whenBusy === 'interrupt' && lane.running?.isAsked === true) lane.running.stop('newer_message')
    return this.#queue(agent, { ...asked, session }, profile)
  }

  /** Where nothing is before it, it is stored and claimed in one change, and begins. */
  async #queue(agent: Agent, asked: Wanted, profile: Profile): Promise<Taken> {
    const { message, session, from, attachments, requestId } = asked
    const retryOf = asked.retryOf?.id ?? null
    const fresh = this.#newTurn(agent.id, session)
    const live = new LiveTurn({ ...fresh, message, from, attachments, requestId, retryOf })
    const lane = this.#runner.lanes.ofTurn(live)
    const isCounted = profile.limits.turns_per_hour !== undefined
    const isNext = lane.running === null && lane.waiting.length === 0 && !isCounted && this.#runner.mayBegin(live)
    this.#runner.lanes.wait(live)
    if (isNext) this.#runner.lanes.begin(live)
    const { store, holder } = this.#parts
    try {
      const claimed = await store.transaction(async ({ agents, turns }) => {
        // Somebody may ask the same of another node in this moment.
        if (requestId !== null && (await agents.hold(agent.id))) {
          const known = await turns.request(agent.id, requestId, this.#since())
          if (known !== null) return { kind: 'known', known } as const
        }
        await turns.add(live.turn)
        await keepAsked(turns, live.turn, asked, isoTime(this.#now()))
        const turn = isNext ? await turns.claim(live.turn.id, holder, isoTime(this.#now())) : null
        return { kind: 'stored', turn } as const
      })
      if (claimed.kind === 'known') {
        this.#runner.leave(live)
        return same(claimed.known, asked)
      }
      if (claimed.turn === null) {
        if (isNext) this.#runner.notNext(live)
        this.#runner.enter(live)
      } else this.#runner.enterRunning(live, agent, profile, claimed.turn)
    } catch (error) {
      this.#runner.leave(live)
      // It may be stored all the same.
      this.#runner.onDoubt(agent.id, true)
      throw error
    }
    return { ok: true, turnId: live.turn.id }
  }

  /** What waits becomes one turn, and everybody gets its stream. */
  async #join(agent: Agent, asked: Wanted, profile: Profile, live: LiveTurn): Promise<Taken> {
    live.messages += 1
    const { id, session } = live.turn
    const joined = await this.#parts.store.transaction(async ({ turns }) => {
      // As it is stored: others may have joined, and this may run twice.
      const stored = await turns.byId(id)
      if (stored === null) return null
      const longer = joinedTurn(stored, asked)
      if (!(await turns.change(longer))) return null
      await keepAsked(turns, longer, asked, isoTime(this.#now()))
      return longer
    })
    if (joined === null) return this.#queue(agent, { ...asked, session }, profile)
    if (live.turn.state === 'queued') live.turn = joined
    return { ok: true, turnId: id }
  }

  #now(): number {
    return this.#parts.clock.now()
  }
}

/** Why nothing can be given to the agent as it is; null when it can. */
async function whyRefused(
  profile: Profile,
  { message, session, from, attachments }: TurnAsked,
): Promise<string | null> {
  const { refusedMessage } = await import('@string-os/bridge')
  const request = { message, sessionName: session, sessionId: null, fromUser: from, attachments }
  return refusedMessage(profile, firstRequest(profile, request, true))
}

/** A message behind the one that waits. */
export function joinedTurn(stored: TurnRow, asked: TurnAsked): TurnRow {
  const texts = [stored.message, asked.message].filter((text) => text !== '')
  return { ...stored, message: texts.join('\n\n'), attachments: [...stored.attachments, ...asked.attachments] }
}

/** What must be known of a message when it is asked for once more: under which id it was, and by which turn it is repeated. */
export async function keepAsked(
  turns: Groups['turns'],
  { agentId, id }: TurnRow,
  asked: Wanted,
  usedAt: string,
): Promise<void> {
  const { requestId, retryOf } = asked
  if (retryOf !== undefined) await turns.retried(retryOf, id)
  if (requestId === null) return
  await turns.putRequest({ agentId, requestId, turnId: id, digest: digestOf(asked), usedAt })
}

/** What was asked before under the same id. */
function same({ requestId, turnId, digest }: TurnRequestRow, asked: TurnAsked): Taken {
  return digest === digestOf(asked) ? { ok: true, turnId } : otherMessage(requestId)
}

export function digestOf({ message, session, from, attachments }: TurnAsked): string {
  return hash('sha256', JSON.stringify([message, session || DEFAULT_SESSION, from, attachments]), 'base64')
}
