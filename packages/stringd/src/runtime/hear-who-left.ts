import { setImmediate } from 'node:timers/promises'

/** A connection that closed is heard of in the next turn of the event loop, and has closed on our side a few turns later. */
const TURNS = 8

/** A daemon that was stopped and goes on hears of timers before it hears who left meanwhile. */
export async function hearWhoLeft(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await setImmediate()
}
