import { LIMITS } from '@string-os/protocol'
import type { Log } from '../log.ts'
import type { Clock } from './clock.ts'
import type { NotTaken } from './not-taken.ts'

/** What was refused, by a code. */
interface Refused {
  /** In whose name; null where that is not known. */
  readonly agent: string | null
  readonly what: string
  readonly code: string
  readonly reason: string
}

/** What is refused again and again, in the log: the first at once, more of the same together after a while. */
export class Refusals {
  readonly #log: Log
  readonly #clock: Clock
  /** By agent, thing and code, those of which nothing is told yet. */
  readonly #untold = new Map<string, number>()

  constructor(log: Log, clock: Clock) {
    this.#log = log
    this.#clock = clock
  }

  note(refused: Refused): void {
    const which = keyOf(refused)
    const untold = this.#untold.get(which)
    if (untold === undefined) this.#tell(refused, 1)
    else this.#untold.set(which, untold + 1)
  }

  #tell(refused: Refused, count: number): void {
    const { agent, what, code, reason } = refused
    const which = keyOf(refused)
    this.#untold.set(which, 0)
    this.#log.warn(what, { ...(agent === null ? {} : { agent }), code, count, reason })
    this.#clock.wait(LIMITS.refusalLogMs, () => {
      const untold = this.#untold.get(which) ?? 0
      this.#untold.delete(which)
      if (untold > 0) this.#tell(refused, untold)
    })
  }
}

function keyOf({ agent, what, code }: Refused): string {
  return [agent, what, code].join(' ')
}

/** What is wrong with the agent, as opposed to the request: whoever looks after the agent wants to know. */
const OF_THE_AGENT: readonly string[] = ['NO_PROFILE', 'LIMIT_REACHED', 'BUSY', 'QUEUE_FULL']

/** A message that was not taken, where that is because of its agent; null of any other. */
export function refusedMessage(agent: string, { code, message }: NotTaken): Refused | null {
  return OF_THE_AGENT.includes(code) ? { agent, what: 'A message was refused', code, reason: message } : null
}

/** Whoever posts it may tell nobody, so that it is missed only by whoever waits for it. Its token is a secret of somebody. */
export const UNKNOWN_WEBHOOK: Refused = {
  agent: null,
  what: 'A webhook post was refused',
  code: 'UNKNOWN_TOKEN',
  reason:
    "its token is nobody's: it was rotated, mistyped, or its agent is gone; string webhook show prints the address that holds now",
}
