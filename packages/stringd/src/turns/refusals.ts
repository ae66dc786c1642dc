import { LIMITS } from '@string-os/protocol'
import type { Log } from '../log.ts'
import { isoTime } from '../store/iso-time.ts'
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

/** More of the same, of which nothing is told yet. */
interface Untold {
  count: number
  first: string
  last: string
}

/** What is refused again and again, in the log: the first at once, more of the same together after a while, with when that was. */
export class Refusals {
  readonly #log: Log
  readonly #clock: Clock
  /** By agent, thing and code. */
  readonly #untold = new Map<string, Untold>()

  constructor(log: Log, clock: Clock) {
    this.#log = log
    this.#clock = clock
  }

  note(refused: Refused): void {
    const untold = this.#untold.get(keyOf(refused))
    if (untold !== undefined) return this.#add(untold)
    this.#write(refused, { count: 1 })
    this.#collect(refused)
  }

  #add(untold: Untold): void {
    untold.last = isoTime(this.#clock.now())
    if (untold.count === 0) untold.first = untold.last
    untold.count += 1
  }

  /** What comes from now on is told together. */
  #collect(refused: Refused): void {
    const untold: Untold = { count: 0, first: '', last: '' }
    this.#untold.set(keyOf(refused), untold)
    this.#clock.wait(LIMITS.refusalLogMs, () => {
      this.#untold.delete(keyOf(refused))
      if (untold.count === 0) return
      this.#write(refused, untold)
      this.#collect(refused)
    })
  }

  #write({ agent, what, code, reason }: Refused, when: { count: number; first?: string; last?: string }): void {
    const whose = agent === null ? {} : { agent }
    this.#log.warn(what, { ...whose, code, ...when, reason })
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
