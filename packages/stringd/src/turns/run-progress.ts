import type { AgentProcessView, PausableTimer, Profile } from '@string-os/bridge'
import { LIMITS, type TurnProgress, type TurnState, truncate } from '@string-os/protocol'
import { isoTime } from '../store/iso-time.ts'
import type { Clock } from './clock.ts'

/** How a run goes: whoever watches one that says nothing sees since when, and when it is ended. */
export class RunProgress {
  readonly #profile: Profile
  readonly #time: PausableTimer
  readonly #clock: Pick<Clock, 'now'>
  #process: AgentProcessView | null = null
  #heardAt: number

  constructor(profile: Profile, time: PausableTimer, clock: Pick<Clock, 'now'>) {
    this.#profile = profile
    this.#time = time
    this.#clock = clock
    this.#heardAt = clock.now()
  }

  began(process: AgentProcessView): void {
    this.#process = process
  }

  /** Its process is over; its blocks may run yet. */
  ended(): void {
    this.#process = null
    this.#heardAt = this.#clock.now()
  }

  /** Of the process that runs, so far; null where none does. */
  get stderr(): string | null {
    return this.#process?.stderr ?? null
  }

  get stdout(): string {
    return this.#process?.stdout ?? ''
  }

  view(state: TurnState): TurnProgress {
    const now = this.#clock.now()
    const { timeoutMs, turnTimeoutMs } = this.#profile
    const [ofTurn, ofProcess] = [this.#time.leftMs, this.#process?.leftMs ?? Number.POSITIVE_INFINITY]
    const isOfTurn = ofTurn <= ofProcess
    return {
      heard_at: isoTime(this.#process === null ? this.#heardAt : now - this.#process.silentMs),
      ends_at: state === 'waiting' ? null : isoTime(now + Math.min(ofTurn, ofProcess)),
      ends_by: isOfTurn ? 'turn_timeout_secs' : 'timeout_secs',
      ends_secs: (isOfTurn ? turnTimeoutMs : timeoutMs) / 1000,
      stderr_line: lastLine(this.stderr ?? ''),
      stdout_line: lastLine(this.stdout),
    }
  }
}

function lastLine(text: string): string | null {
  const line = text.split('\n').findLast((each) => each.trim() !== '')
  return line === undefined ? null : truncate(line.trim(), LIMITS.turnPreviewChars)
}
