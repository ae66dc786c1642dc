import { isFields, LIMITS, parseJson, type TurnState, type TurnSummary } from '@string-os/protocol'
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
    // What was listed may be newer than what lay in the stream meanwhile.
    if (isSummary(turn) && !seen.isPast(turn) && seen.take(turn)) yield turn
  }
}

/** In which state turns were seen last; of the latest alone, as more are never listed. */
class SeenTurns {
  readonly #turns = new Map<string, Seen>()
  #greatestId = ''

  constructor(newestFirst: readonly TurnSummary[]) {
    for (const turn of [...newestFirst].reverse()) this.take(turn)
  }

  /** Whether a turn that is listed is one that was seen, or was made since then. */
  isLater({ turn_id }: TurnSummary): boolean {
    return this.#turns.has(turn_id) || turn_id > this.#greatestId
  }

  /** Whether it tells of an earlier run than is known, or that one goes on which is known to be over. */
  isPast({ turn_id, state, attempt, started_at }: TurnSummary): boolean {
    const seen = this.#turns.get(turn_id)
    if (seen === undefined || attempt > seen.attempt) return false
    if (started_at === null || seen.started_at === null) return seen.started_at !== null
    if (started_at !== seen.started_at) return started_at < seen.started_at
    return attempt === seen.attempt && isRunning(state) && !isRunning(seen.state)
  }

  /** Whether its state is another than it was. */
  take({ turn_id, state, attempt, started_at }: TurnSummary): boolean {
    const before = this.#turns.get(turn_id)
    if (before?.state === state && before.attempt === attempt) return false
    this.#turns.delete(turn_id)
    this.#turns.set(turn_id, { state, attempt, started_at })
    if (turn_id > this.#greatestId) this.#greatestId = turn_id
    const [oldest] = this.#turns.keys()
    if (this.#turns.size > LIMITS.listedTurnsMax && oldest !== undefined) this.#turns.delete(oldest)
    return true
  }
}

type Seen = Pick<TurnSummary, 'state' | 'attempt' | 'started_at'>

function isRunning(state: TurnState): boolean {
  return state === 'running' || state === 'waiting'
}

function isSummary(value: unknown): value is TurnSummary {
  return isFields(value) && typeof value.turn_id === 'string' && typeof value.state === 'string'
}
