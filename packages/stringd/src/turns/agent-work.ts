import { type AgentWork, failedTries, LIMITS, type TurnBrief, truncate } from '@string-os/protocol'
import { hasRunBefore, type LatestTurn, type TurnRow } from '../store/groups/turns.ts'
import { type Store, StoreAway } from '../store/store.ts'
import { type ListedAgent, type Standing, sinceOf } from './agent-standing.ts'
import { profilePath } from './profile-of.ts'
import { progressOf } from './turn-view.ts'

/** An agent with all that is told of what it does. */
export interface WorkingAgent extends ListedAgent {
  readonly work: AgentWork
}

/** What each of these agents does; of few, for what is told of one may take a question of its own. */
export async function workOfAgents(standings: readonly Standing[], store: Store): Promise<WorkingAgent[]> {
  const asked = await whileThere(askedBy(store), new Map<string, number>())
  return Promise.all(
    standings.map(async (one): Promise<WorkingAgent> => {
      const { agent, node, state, paused, running, waiting, latest, pending } = one
      const work: AgentWork = {
        state,
        paused,
        // The files of another node are not looked at.
        has_profile: node !== null || profilePath(agent) !== null,
        running,
        waiting,
        turn: await briefOf(one, store),
        last_turn: latest === null ? null : await lastTurn(latest, store),
        silent_since: running > 0 ? null : (latest?.endedAt ?? null),
        pending_events: pending,
        approvals: asked.get(agent.id) ?? 0,
      }
      return { agent, node, work }
    }),
  )
}

/** Its failed runs are counted as its turn tells them; they are kept with its text, which is read of those alone that ran before. */
async function lastTurn(latest: LatestTurn, store: Store): Promise<AgentWork['last_turn']> {
  const { id, state, code, endedAt, attempt } = latest
  const detail = hasRunBefore(latest) ? await whileThere(store.turns.detail(id), null) : null
  return { turn_id: id, state, code, ended_at: endedAt, attempt, failed_tries: failedTries(detail?.tries) }
}

/** What one agent does, with how its turn goes: in a list, that would be another with every look. */
export function withProgress(work: AgentWork, { turn: live }: Standing): AgentWork {
  const { turn } = work
  if (turn === null || live === null || typeof live === 'string') return work
  return { ...work, turn: { ...turn, ...progressOf(live) } }
}

/** How many questions of each agent wait for a person. */
async function askedBy(store: Store): Promise<Map<string, number>> {
  const asked = new Map<string, number>()
  for (const id of await store.approvals.waiting(LIMITS.approvalsWaiting)) asked.set(id, (asked.get(id) ?? 0) + 1)
  return asked
}

async function briefOf({ turn }: Standing, store: Store): Promise<TurnBrief | null> {
  const row = typeof turn === 'string' ? await whileThere(store.turns.byId(turn), null) : (turn?.turn ?? null)
  return row === null ? null : viewBrief(row)
}

function viewBrief(turn: TurnRow): TurnBrief {
  const { id, session, state, message } = turn
  return { turn_id: id, session, state, since: sinceOf({ turn }), message: truncate(message, LIMITS.turnPreviewChars) }
}

/** While the store is away, what runs is known all the same. */
async function whileThere<T>(asked: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof StoreAway) return otherwise
    throw error
  }
}
