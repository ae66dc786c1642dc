import { COMMAND_STOPPED, type Failure, fail, headCommand, LIMITS } from '@string-os/protocol'
import type { RunningFacts } from '../session/topic-state.ts'

const TOPIC_CLOSED = fail(
  'CANCELLED',
  'The topic was closed before the command ended',
  'The next command starts it afresh',
)

/** Its end is the daemon's, which whoever waits for it cannot see. */
export const DAEMON_STOPPED = fail(
  'CANCELLED',
  'The daemon was stopped before the command ended',
  'Look what became of it, and send it again once the daemon runs: string start',
)

/** A command that has begun: what it is, and how it is ended before its time. */
export class RunningCommand {
  readonly #command: string
  readonly #requestId: string | null
  readonly #since = Date.now()
  readonly #began = performance.now()
  readonly #listeners: (() => void)[] = []
  readonly #stops = new Set<() => void>()
  #controller: AbortController | null = null
  #failure: Failure | null = null
  #isOver = false
  /** Called when the command shall not be waited for any more. */
  onGiveUp: (failure: Failure) => void = () => undefined

  constructor(command: string, requestId: string | null) {
    this.#command = command
    this.#requestId = requestId
  }

  /** Made when it is asked for: most commands end before anyone could stop them, and never look. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#failure !== null) this.#controller.abort()
    return this.#controller.signal
  }

  /** The same for those who do not hand it on, because a signal costs as much as a small command. Gives what ends the listening. */
  onStop(listener: () => void): () => void {
    this.#stops.add(listener)
    return () => this.#stops.delete(listener)
  }

  /** Why it was stopped; null when nobody did. */
  get failure(): Failure | null {
    return this.#failure
  }

  get seconds(): number {
    return Math.floor((performance.now() - this.#began) / 1000)
  }

  facts(): RunningFacts {
    const since = new Date(this.#since).toISOString()
    return { command: headCommand(this.#command), since, requestId: this.#requestId }
  }

  /** Tells it to end. It is waited for, so that all that it started is gone when it is answered. */
  stop(): void {
    this.#tell(COMMAND_STOPPED)
    setTimeout(() => this.#giveUp(), LIMITS.stopMs).unref()
  }

  /** Tells it to end, and answers for it at once. */
  close(failure: Failure = TOPIC_CLOSED): void {
    this.#tell(failure)
    this.#giveUp()
  }

  /** It has been answered. */
  end(): void {
    this.#isOver = true
    for (const listener of this.#listeners) listener()
  }

  ended(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isOver) resolve()
      else this.#listeners.push(resolve)
    })
  }

  #tell(failure: Failure): void {
    this.#failure ??= failure
    this.#controller?.abort()
    for (const listener of this.#stops) listener()
  }

  #giveUp(): void {
    if (this.#failure !== null) this.onGiveUp(this.#failure)
  }
}
