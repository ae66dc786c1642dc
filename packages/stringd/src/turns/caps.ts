import type { Profile } from '@string-os/bridge'
import { type Caps, LIMITS } from '@string-os/protocol'
import { dayOf, isoTime } from '../store/iso-time.ts'
import type { Groups } from '../store/store.ts'
import type { TurnsParts } from './turns-parts.ts'

/** A limit that is reached, and when it opens again. */
export interface Reached {
  readonly what: string
  readonly opensAt: number
}

export const HOUR_MS = 3_600_000

/** What agents may use: `limits` of their profiles, with what holds for all. */
export class AgentCaps {
  readonly #parts: Pick<TurnsParts, 'store' | 'clock'>

  constructor(parts: Pick<TurnsParts, 'store' | 'clock'>) {
    this.#parts = parts
  }

  /** Whether the agent has used what it may; asked before a turn starts. */
  reached(agentId: string, profile: Profile): Promise<Reached | null> {
    const { store, clock } = this.#parts
    return reachedCap(store, agentId, profile.limits, clock.now())
  }
}

async function reachedCap(
  { turns, usage }: Pick<Groups, 'turns' | 'usage'>,
  agentId: string,
  caps: Caps,
  now: number,
): Promise<Reached | null> {
  const { turns_per_hour, tokens_per_day, cost_per_day, minutes_per_day } = caps
  if (turns_per_hour !== undefined) {
    const most = Math.min(turns_per_hour, LIMITS.turnsKept)
    const started = await turns.startedSince(agentId, isoTime(now - HOUR_MS), most)
    const first = started[most - 1]
    if (first !== undefined) return { what: `${most} turns per hour`, opensAt: Date.parse(first) + HOUR_MS }
  }
  if (tokens_per_day === undefined && cost_per_day === undefined && minutes_per_day === undefined) return null
  const day = await usage.ofDay(agentId, dayOf(now))
  const isOver = (used: number, most: number | undefined): boolean => most !== undefined && used >= most
  const opensAt = nextDay(now)
  if (isOver(day.totalTokens, tokens_per_day)) return { what: `${tokens_per_day} tokens per day`, opensAt }
  if (isOver(day.costUsd, cost_per_day)) return { what: `${cost_per_day} dollars per day`, opensAt }
  if (isOver(day.durationMs / 60_000, minutes_per_day)) return { what: `${minutes_per_day} minutes per day`, opensAt }
  return null
}

/** When the calendar of this machine begins the next. */
export function nextDay(now: number): number {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime()
}
