import { type Caps, LIMITS, type LimitUse } from '@string-os/protocol'
import { dayOf, isoTime } from '../store/iso-time.ts'
import type { Groups } from '../store/store.ts'
import { HOUR_MS, nextDay } from './caps.ts'

/** How much an agent has used of each limit that holds for it. */
export async function capUse(
  { turns, usage }: Pick<Groups, 'turns' | 'usage'>,
  agentId: string,
  { turns_per_hour: hourly, ...daily }: Caps,
  now: number,
): Promise<LimitUse[]> {
  const found: LimitUse[] = []
  if (hourly !== undefined) {
    const most = Math.min(hourly, LIMITS.turnsKept)
    const started = await turns.startedSince(agentId, isoTime(now - HOUR_MS), most)
    const first = started[most - 1]
    const opens_at = first === undefined ? null : isoTime(Date.parse(first) + HOUR_MS)
    found.push({ name: 'turns_per_hour', used: started.length, most, opens_at })
  }
  if (Object.values(daily).every((most) => most === undefined)) return found
  const { totalTokens, costUsd, durationMs } = await usage.ofDay(agentId, dayOf(now))
  const used = { tokens_per_day: totalTokens, cost_per_day: costUsd, minutes_per_day: durationMs / 60_000 } as const
  for (const name of ['tokens_per_day', 'cost_per_day', 'minutes_per_day'] as const) {
    const most = daily[name]
    if (most !== undefined)
      found.push({ name, used: used[name], most, opens_at: used[name] >= most ? isoTime(nextDay(now)) : null })
  }
  return found
}
