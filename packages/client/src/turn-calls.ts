import { LIMITS, type TurnEvent, type TurnSummary, type TurnView } from '@string-os/protocol'
import { type Caller, pathOf, queryOf } from './calls.ts'
import { given, known } from './option-names.ts'
import type { FollowTurnOptions, TurnFilter } from './options.ts'
import { type WatchOptions, watchTurns } from './turn-watch.ts'
import { followTurn, resumeTurn } from './turns.ts'

/** `client.turns` */
export interface TurnCalls {
  /** Newest first. */
  readonly list: (filter?: TurnFilter) => Promise<TurnSummary[]>
  readonly get: (id: string) => Promise<TurnView>
  /** Ends a turn with every process that it started. One that is over stays as it is. */
  readonly cancel: (id: string) => Promise<TurnView>
  /**
   * Runs a turn again that is over, one that succeeded, too. That of an event goes on under its id; a message becomes a new
   * turn, which is the answer.
   */
  readonly retry: (id: string) => Promise<TurnView>
  /** What a turn that exists says, from its beginning to its result; as `client.turn` otherwise, `reopenMs` included. */
  readonly follow: (
    id: string,
    options?: FollowTurnOptions | AbortSignal,
    reopenMs?: number,
  ) => AsyncGenerator<TurnEvent>
  /** Turns each time that their state changes, until `signal` ends it; also over restarts of the daemon. */
  readonly watch: (options?: WatchOptions) => AsyncGenerator<TurnSummary>
}

export function turnCalls({ json, stream }: Caller): TurnCalls {
  const list = async (filter: TurnFilter = {}, leave?: AbortSignal): Promise<TurnSummary[]> => {
    const { agent, session, state, since, again, limit, before } = known('turns.list', filter)
    const query = queryOf({
      agent_id: agent,
      session,
      state,
      since: isoTime(since),
      again: again ? 1 : undefined,
      limit,
      before,
    })
    const { turns } = await json<{ turns: TurnSummary[] }>({ method: 'GET', path: `/turns${query}`, signal: leave })
    return turns
  }
  return {
    list: (filter) => list(filter),
    get: async (id) => {
      given('turns.get', { id })
      return json({ method: 'GET', path: pathOf(['turns', id]) })
    },
    cancel: async (id) => {
      given('turns.cancel', { id })
      return json({ method: 'DELETE', path: pathOf(['turns', id]) })
    },
    retry: async (id) => {
      given('turns.retry', { id })
      return json({ method: 'POST', path: pathOf(['turns', id, 'retry']) })
    },
    follow: (id, options, givenMs) => {
      given('turns.follow', { id })
      const isPlain = options === undefined || options instanceof AbortSignal
      const asked = isPlain ? { signal: options, reopenMs: givenMs } : options
      const { signal, reopenMs, onLost } = known('turns.follow', asked)
      const resume = resumeTurn(stream, signal)
      return followTurn({ begin: () => resume(id, 0, false), resume, signal, reopenMs, onLost })
    },
    watch: (options = {}) => {
      const { agent, signal } = known('turns.watch', options)
      return watchTurns(
        {
          open: (isAgain) => stream(`/turns/watch${queryOf({ agent_id: agent })}`, signal, isAgain),
          newest: () => list({ agent, limit: LIMITS.listedTurnsMax }, signal),
        },
        options,
      )
    },
  }
}

export function isoTime(time: Date | string | undefined): string | undefined {
  return time instanceof Date ? time.toISOString() : time
}
