import { FAILED_STATES } from '@string-os/protocol'
import type { TurnDetail, TurnRow } from '../store/groups/turns.ts'
import { dayOf, isoTime } from '../store/iso-time.ts'
import type { Store } from '../store/store.ts'
import type { AgentEnd } from './run-agent.ts'
import { tokensOf } from './usage.ts'

/** A run that is over, and what follows from it. */
export interface Ended {
  readonly after: TurnRow
  readonly detail: TurnDetail
  readonly end: AgentEnd
  readonly now: number
}

/** All that follows from a run, in one change. False: another has the turn, or it is gone, and nothing was changed. */
export function storeEnd(store: Store, { after, detail, end, now }: Ended): Promise<boolean> {
  const { result, usage } = end
  const { agentId, session, eventId } = after
  const at = isoTime(now)
  // One that is run again is counted when it is over.
  const isOver = after.state !== 'queued'
  return store.transaction(async (groups) => {
    if (!(await groups.turns.settle(after, detail))) return false
    if (result.ok && eventId !== null) await groups.events.ack(agentId, [eventId], at)
    const known = await groups.sessions.get(agentId, session)
    await groups.sessions.put({
      agentId,
      session,
      sessionId: result.session_id ?? known?.sessionId ?? null,
      hasSucceeded: result.ok || (known?.hasSucceeded ?? false),
      usedAt: at,
    })
    await groups.usage.add({
      day: dayOf(now),
      agentId,
      session,
      turns: isOver ? 1 : 0,
      failed: FAILED_STATES.includes(after.state) ? 1 : 0,
      inputTokens: usage.input_tokens ?? 0,
      outputTokens: usage.output_tokens ?? 0,
      totalTokens: tokensOf(usage),
      costUsd: usage.cost_usd ?? 0,
      durationMs: usage.duration_ms,
    })
    return true
  })
}
