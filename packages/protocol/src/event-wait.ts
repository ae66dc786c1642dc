import { count } from './text.ts'

/**
 * Why an event waits. `reader`: nothing wakes its agent. The last three wait until a person does something: `given_up` failed too
 * often, `passed` came before events woke its agent, or its turn is forgotten.
 */
export const WAIT_REASONS = [
  'running',
  'queued',
  'limit',
  'paused',
  'broken',
  'reader',
  'given_up',
  'cancelled',
  'passed',
] as const

export type WaitReason = (typeof WAIT_REASONS)[number]

/** Events that nobody takes by itself. */
export const STUCK_REASONS: readonly WaitReason[] = ['given_up', 'cancelled', 'passed']

export interface EventWait {
  readonly reason: WaitReason
  /** When it goes on, where that is known. */
  readonly until: string | null
  /** The turn that it became. */
  readonly turn_id: string | null
  /** How often that was run; 0 without one. */
  readonly tries: number
}

/** Events of an agent that wait for the same reason; the rest is told of the newest. */
export interface EventWaits extends EventWait {
  readonly events: number
  readonly event_id: string
}

/** Of events that wait, how many and why. */
export function waitsText({ reason, events, tries }: Pick<EventWaits, 'reason' | 'events' | 'tries'>): string {
  return `${count(events, 'event')} ${WAIT_WORDS[reason](tries)}`
}

/** What one waits for, in the same words. */
export function waitsFor({ reason, tries }: Pick<EventWait, 'reason' | 'tries'>): string {
  return WAIT_WORDS[reason](tries)
}

/** The same of one, in a word or two. */
export function waitWord({ reason }: Pick<EventWait, 'reason'>): string {
  return STATE_WORDS[reason] ?? 'pending'
}

const WAIT_WORDS: Readonly<Record<WaitReason, (tries: number) => string>> = {
  running: () => 'being dealt with',
  queued: (tries) => (tries > 1 ? 'to be tried again' : 'next'),
  limit: () => 'for when the limit opens',
  paused: () => 'for when it is not paused',
  broken: () => 'for when its profile can be used',
  reader: () => 'for whoever reads them',
  given_up: (tries) => `given up after ${tries === 1 ? '1 try' : `${tries} tries`}`,
  cancelled: () => 'cancelled',
  passed: () => 'from before events woke it',
}

const STATE_WORDS: Readonly<Partial<Record<WaitReason, string>>> = {
  running: 'running',
  limit: 'limited',
  paused: 'paused',
  broken: 'blocked',
  given_up: 'given up',
  cancelled: 'cancelled',
  passed: 'not taken',
}
