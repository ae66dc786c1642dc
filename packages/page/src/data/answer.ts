import { HttpError, IncompleteError, UnreachableError } from '@string-os/client/browser'

/** What the daemon answered, or why it did not; status 0 means that nobody answered. */
export type Answer<T> = { readonly ok: true; readonly value: T } | Refusal

export interface Refusal {
  readonly ok: false
  readonly status: number
  readonly reason: string
}

/** Whether the same may be answered otherwise in a moment: nobody answered, or the daemon cannot just now. */
export const isPassing = ({ status }: Refusal): boolean => status === 0 || status >= 500

/** What goes wrong with a request is an answer too, and never thrown. */
export async function answer<T>(asked: Promise<T>): Promise<Answer<T>> {
  try {
    return { ok: true, value: await asked }
  } catch (error) {
    return refusalOf(error)
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof HttpError) return { ok: false, status: error.status, reason: error.message }
  if (error instanceof UnreachableError)
    return { ok: false, status: 0, reason: 'The daemon does not answer. In a terminal: string start' }
  if (error instanceof IncompleteError)
    return { ok: false, status: 0, reason: 'The daemon broke off: what you asked for may have been done' }
  return { ok: false, status: 0, reason: error instanceof Error ? error.message : String(error) }
}
