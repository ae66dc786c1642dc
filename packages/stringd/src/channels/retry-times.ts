import { LIMITS } from '@string-os/protocol'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** When a message is tried again, counted from when it was written. */
const RETRIES_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 8 * HOUR_MS]

/** When something happens next to a message that could not be sent: a try, or after the last one the end. */
export function nextTime(createdAt: number, now: number): number {
  const age = now - createdAt
  return createdAt + (RETRIES_MS.find((retry) => retry > age) ?? LIMITS.deliveryGiveUpMs)
}

export function isOver(createdAt: number, now: number): boolean {
  return now - createdAt >= LIMITS.deliveryGiveUpMs
}

/** `1 min`, `2 h` */
export function shownWait(ms: number): string {
  return ms < HOUR_MS ? `${Math.max(1, Math.round(ms / MINUTE_MS))} min` : `${Math.round(ms / HOUR_MS)} h`
}
