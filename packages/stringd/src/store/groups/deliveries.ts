import type { DeliveryState } from '@string-os/protocol'

/** A message to another channel, as it is stored. */
export interface DeliveryRow {
  readonly id: string
  readonly agentId: string
  readonly channel: string
  readonly target: string
  readonly text: string
  readonly state: DeliveryState
  /** Tries that have ended. */
  readonly tries: number
  readonly createdAt: string
  readonly nextAt: string | null
  /** Why it waits or failed. */
  readonly reason: string | null
  /** The number of the claim under which it was last tried; each is used once. */
  readonly claim: number
}

/** Which part of a list of deliveries. */
export interface DeliveryPart {
  readonly state?: DeliveryState | null
  /** Older than this one. */
  readonly before?: string | null
}

export type NewDelivery = Pick<DeliveryRow, 'id' | 'agentId' | 'channel' | 'target' | 'text' | 'createdAt'>

export interface DeliveryStore {
  /** Stores a message whose first try `holder` makes now. */
  add(delivery: NewDelivery, holder: string): Promise<DeliveryRow>
  /**
   * Hands out work, each piece to one holder (P3), which is where its agent lives: what waits and whose time has come, and what a holder was trying whose
   * lease has run out by the clock of the store; the longest waiting first. A claim that was cut off is no try.
   */
  claim(holder: string, at: string, limit: number): Promise<DeliveryRow[]>
  /** Ends a try, under its claim. False: another has it, or it is gone, and nothing was changed. */
  settle(delivery: DeliveryRow): Promise<boolean>
  /** Gives back what an earlier daemon of this name was trying: it waits, and its time is `at`. */
  release(holder: string, at: string): Promise<number>
  /** When something is due next for a holder, or a lease runs out. */
  nextAt(holder: string): Promise<string | null>
  /** Newest first, of one agent or of all. */
  newest(agentId: string | null, limit: number, part?: DeliveryPart): Promise<DeliveryRow[]>
  byId(id: string): Promise<DeliveryRow | null>
  /** One that waits or failed is due as if it had been written then. False: it is sent, being tried, or gone. */
  retry(id: string, at: string): Promise<boolean>
  /** How many wait or are being tried; counted up to `limit`. */
  countOpen(agentId: string, limit: number): Promise<number>
  /** Everything of an agent, at most `limit`. */
  remove(agentId: string, limit: number): Promise<number>
  /** Forgets what was sent or failed before then, at most `limit`. */
  prune(before: string, limit: number): Promise<number>
}
