import { isFields, LIMITS, parseJson, type TurnSummary } from '@string-os/protocol'
import type { Answer } from './call.ts'
import { OPEN, reopenedStream } from './reopened-stream.ts'

export interface WatchOptions {
  /** Of one agent; without it, of all. */
  readonly agent?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Turns as they are known already, newest first: what became of them since then comes first. */
  readonly known?: readonly TurnSummary[] | undefined
  /** Also for a daemon that does not run yet; without it, that is an `UnreachableError`. */
  readonly waits?: boolean | undefined
  /** Told each time that the stream broke and is opened again, and why. */
  readonly onLost?: ((reason: string) => void) | undefined
}

export interface TurnSource {
  readonly open: (isAgain: boolean) => Promise<Answer>
  /** The newest turns, newest first. */
  readonly newest: () => Promise<readonly TurnSummary[]>
}

/** Turns each time that their state changes, until `signal` ends it; also those that changed while the stream was broken. */
export async function* watchTurns(
  source: TurnSource,
  { signal, waits, onLost, known }: WatchOptions,
): AsyncGenerator<TurnSummary> {
  const seen = new SeenTurns(known ?? [])
  let mayMiss = known !== undefined
  let missed: readonly TurnSummary[] = []
  const open = async (isAgain: boolean): Promise<Answer> => {
    const response = await source.open(isAgain)
    try {
      // Asked only now, so that nothing changes between the two.
      missed = mayMiss && response.status === 200 ? await source.newest() : []
      return response
    } catch (error) {
      response.cut()
      throw error
    }
  }
  for await (const { event, data } of reopenedStream(open, { signal, waits, onLost })) {
    if (event === OPEN) {
      mayMiss = true
      for (const turn of [...missed].reverse()) if (seen.isLater(turn) && seen.take(turn)) yield turn
    }
    const turn = event === 'turn' ? parseJson(data) : null
    if (isSummary(turn) && seen.take(turn)) yield turn
  }
}

/** In which state turns were seen last; of the latest alone, as more are never listed. */
class SeenTurns {
  readonly #states = new Map<string, string>()
  #greatestId = ''

  constructor(newestFirst: readonly TurnSummary[]) {
    for (const turn of [...newestFirst].reverse()) this.take(turn)
  }

  /** Whether a turn that is listed is one that was seen, or was made since then. */
  isLater({ turn_id }: TurnSummary): boolean {
    return this.#states.has(turn_id) || turn_id > this.#greatestId
  }

  /** Whether its state is another than it was. */
  take({ turn_id, state, attempt }: TurnSummary): boolean {
    const now = `${state} ${attempt}`
    if (this.#states.get(turn_id) === now) return false
    this.#states.delete(turn_id)
    this.#states.set(turn_id, now)
    if (turn_id > this.#greatestId) this.#greatestId = turn_id
    const [oldest] = this.#states.keys()
    if (this.#states.size > LIMITS.listedTurnsMax && oldest !== undefined) this.#states.delete(oldest)
    return true
  }
}

function isSummary(value: unknown): value is TurnSummary {
  return isFields(value) && typeof value.turn_id === 'string' && typeof value.state === 'string'
}
