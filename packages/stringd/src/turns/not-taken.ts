import { LIMITS } from '@string-os/protocol'
import type { Reached } from './caps.ts'

/** Why a turn is not taken, in the words of HTTP. */
export interface NotTaken {
  readonly ok: false
  readonly status: 400 | 404 | 409 | 429 | 503
  readonly code: string
  readonly message: string
  readonly retryAfterSecs?: number
}

export type Taken = { readonly ok: true; readonly turnId: string } | NotTaken

export function notTaken(status: NotTaken['status'], code: string, message: string): NotTaken {
  return { ok: false, status, code, message }
}

export function otherMessage(requestId: string): NotTaken {
  return notTaken(409, 'CONFLICT', `request_id ${requestId} was used for another message; use a new one`)
}

export function overCap(reached: Reached, now: number): NotTaken {
  const retryAfterSecs = Math.max(1, Math.ceil((reached.opensAt - now) / 1000))
  return { ...notTaken(429, 'LIMIT_REACHED', capSentence(reached)), retryAfterSecs }
}

export function capSentence({ what, opensAt }: Reached): string {
  return `The agent has used its ${what}; it can be asked again at ${new Date(opensAt).toISOString()}`
}

export function sessionBusy(session: string): NotTaken {
  return notTaken(409, 'BUSY', `A turn of session ${session} runs; ask again when it is over, or in another session`)
}

export function sessionFull(session: string): NotTaken {
  const message = `${LIMITS.turnsWaiting} messages wait in session ${session} already; ask later, or in another session`
  return { ...notTaken(429, 'QUEUE_FULL', message), retryAfterSecs: LIMITS.queueRetrySecs }
}
