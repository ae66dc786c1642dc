import type { StringClient } from '@string-os/client'
import { FAILED_STATES, shortId, type TurnResultView, type TurnSummary, tellingReason } from '@string-os/protocol'
import { answered } from '../daemon/passing.ts'
import { clockTime, inOwnTime } from './time.ts'

/** Whether something went wrong with it: one that waits for its next try has failed before. */
export function hasFailed({ state, attempt }: Pick<TurnSummary, 'state' | 'attempt'>): boolean {
  return FAILED_STATES.includes(state) || (state === 'queued' && attempt > 1)
}

/** Who or what ended a turn that did not fail; null of any other. */
export function whyItEnded({ state, result }: Pick<TurnSummary, 'state' | 'result'>): string | null {
  return state === 'cancelled' ? (result?.error ?? null) : null
}

/** Whether something went wrong with it since then: it failed, or a run did from which it has gone on. */
export function failedSince(turn: TurnSummary, since: Date | undefined): boolean {
  const { state, tries } = turn
  if (tries === undefined || FAILED_STATES.includes(state)) return hasFailed(turn)
  return since === undefined || tries.some(({ ended_at }) => ended_at >= since.toISOString())
}

/** The last run that failed of a turn that did not: what the turn itself does not tell. */
export function lastTry({ tries = [] }: TurnSummary): string | null {
  const last = tries.at(-1)
  return last === undefined ? null : `${clockTime(last.ended_at, Date.now())} ${last.code ?? 'failed'}: ${last.reason}`
}

/** By which turn its message was given to its agent again, and what has become of that; null: by none. */
export function retriedText({ retried_by: retry }: Pick<TurnSummary, 'retried_by'>): string | null {
  return retry === undefined ? null : `retried as ${shortId(retry.turn_id)} (${retry.state})`
}

/** Whether what it was asked has been done since, or is being done. */
export function isRetried({ retried_by: retry }: Pick<TurnSummary, 'retried_by'>): boolean {
  return retry !== undefined && retry.state !== 'cancelled' && !FAILED_STATES.includes(retry.state)
}

/** In which states those are that failed; of those that wait, not all did. */
export const MAY_HAVE_FAILED: readonly TurnSummary['state'][] = [...FAILED_STATES, 'queued']

/** One that waits again has the text of its last run. */
const WITH_REASON: readonly TurnSummary['state'][] = ['failed', 'queued']

/** Of a turn that failed, what its agent itself said about it: that is kept with each turn, not in the list. Null: nothing. */
export async function saidReason(
  client: StringClient,
  { id, state }: { readonly id: string; readonly state: string },
): Promise<string | null> {
  if (!WITH_REASON.some((each) => each === state)) return null
  const { stderr, tries = [], code, partial, result } = await client.turns.get(id)
  if (state === 'queued') return tries.at(-1)?.reason ?? tellingReason({ code, error: null, stderr, said: partial })
  const error = result === null ? null : failureText(result)
  return tellingReason({ code, error, stderr, said: result?.reply || partial })
}

/** The daemon itself tells why, with the time at which that ends. */
const LIMIT_CODE = 'LIMIT_REACHED'

/** What is said of a turn that failed, for a person. */
export function failureText({ error, code }: Pick<TurnResultView, 'error' | 'code'>): string {
  return code === LIMIT_CODE ? inOwnTime(error ?? '') : (error ?? '')
}

/** What to do about a turn that was refused, where its reason does not say it; null: nothing. */
export function nextStep({ code }: Pick<TurnResultView, 'code'>): string | null {
  return code === LIMIT_CODE ? 'Ask again then, or raise `limits` in the profile of the agent' : null
}

/** What is known of why a turn failed without asking for it. */
export function whyItFailed({ state, result, message, code }: TurnSummary): string {
  if (state === 'queued') return `the last try failed${code === null ? '' : ` (${code})`}`
  const said = result === null ? '' : failureText(result)
  if (said !== '') return said
  if (state === 'interrupted') return 'the daemon ended while it ran'
  return result === null ? message : `the agent ended with exit code ${result.exit_code} and said nothing about it`
}

const ASKED_AT_ONCE = 8

/** Why those failed or were cancelled that did, or a run of them, by their ids. */
export async function turnReasons(
  client: StringClient,
  turns: readonly TurnSummary[],
): Promise<ReadonlyMap<string, string>> {
  const failed = turns.filter(hasFailed)
  const reasons = new Map<string, string>()
  for (const turn of turns) {
    const told = hasFailed(turn) ? null : (whyItEnded(turn) ?? lastTry(turn))
    if (told !== null) reasons.set(turn.turn_id, told)
  }
  for (let at = 0; at < failed.length; at += ASKED_AT_ONCE)
    await Promise.all(
      failed.slice(at, at + ASKED_AT_ONCE).map(async (turn) => {
        reasons.set(turn.turn_id, await turnReason(client, turn))
      }),
    )
  return reasons
}

export async function turnReason(client: StringClient, turn: TurnSummary): Promise<string> {
  const said = await answered(() => saidReason(client, { id: turn.turn_id, state: turn.state }), null)
  return said ?? whyItFailed(turn)
}
