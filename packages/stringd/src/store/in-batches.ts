import { LIMITS } from '@string-os/protocol'

/** Removes everything, a bounded part with each change, so that nobody waits long for his own. Answers how much it was. */
export async function inBatches(remove: (limit: number) => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const removed = await remove(LIMITS.removedAtOnce)
    total += removed
    if (removed < LIMITS.removedAtOnce) return total
  }
}
