import { LIMITS } from '@string-os/protocol'
import type { Log } from '../log.ts'
import type { Clock } from './clock.ts'
import type { NotTaken } from './not-taken.ts'

/** What is wrong with the agent, as opposed to the request: whoever looks after the agent wants to know. */
const OF_THE_AGENT: readonly string[] = ['NO_PROFILE', 'LIMIT_REACHED', 'BUSY', 'QUEUE_FULL']

/** Messages that were refused because of their agent, in the log: the first at once, more of the same together after a while. */
export class Refusals {
  readonly #log: Log
  readonly #clock: Clock
  /** By agent and code, those of which nothing is told yet. */
  readonly #untold = new Map<string, number>()

  constructor(log: Log, clock: Clock) {
    this.#log = log
    this.#clock = clock
  }

  note(agent: string, { code, message }: NotTaken): void {
    if (!OF_THE_AGENT.includes(code)) return
    const which = `${agent} ${code}`
    const untold = this.#untold.get(which)
    if (untold === undefined) this.#tell({ agent, code, message, count: 1 })
    else this.#untold.set(which, untold + 1)
  }

  #tell({ agent, code, message, count }: { agent: string; code: string; message: string; count: number }): void {
    const which = `${agent} ${code}`
    this.#untold.set(which, 0)
    this.#log.warn('A message was refused', { agent, code, count, reason: message })
    this.#clock.wait(LIMITS.refusalLogMs, () => {
      const untold = this.#untold.get(which) ?? 0
      this.#untold.delete(which)
      if (untold > 0) this.#tell({ agent, code, message, count: untold })
    })
  }
}
