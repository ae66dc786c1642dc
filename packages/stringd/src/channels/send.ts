/** One message on its way out. */
export interface Message {
  /** The same at every try, so that a receiver can drop a repeat. */
  readonly id: string
  readonly target: string
  readonly text: string
  readonly createdAt: Date
}

/** How a try ended. `later`: it may work another time; `refused`: it never will. */
export type Tried = { readonly kind: 'sent' } | { readonly kind: 'later' | 'refused'; readonly reason: string }

/** Tries once. Never throws; `signal` ends the try, however far it is. */
export type Send = (message: Message, signal: AbortSignal) => Promise<Tried>

export const SENT: Tried = { kind: 'sent' }

export function later(reason: string): Tried {
  return { kind: 'later', reason }
}

export function refusedForGood(reason: string): Tried {
  return { kind: 'refused', reason }
}
