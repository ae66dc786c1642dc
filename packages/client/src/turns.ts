import { isFields, LIMITS, parseJson, type SseEvent, type TurnEvent } from '@string-os/protocol'
import type { Answer } from './call.ts'
import { type Caller, pathOf, queryOf } from './calls.ts'
import { IncompleteError, isLost } from './errors.ts'
import { reopenedStream } from './reopened-stream.ts'

/** How the stream of a turn is opened: with the message where it is a new one, and else by the turn's id. */
export interface TurnStreams {
  readonly begin: () => Promise<Answer>
  /** `from`: how many characters of its text are known already. */
  readonly resume: (turnId: string, from: number, isAgain: boolean) => Promise<Answer>
  readonly signal: AbortSignal | undefined
  readonly reopenMs?: number | undefined
  readonly onLost?: ((reason: string) => void) | undefined
}

/**
 * What a turn says until its result, each thing once. `begin` is called once; when the connection breaks before the daemon
 * has named the turn, nobody can tell whether it was taken, and `IncompleteError` says so.
 */
export async function* followTurn({
  begin,
  resume,
  signal,
  onLost,
  reopenMs: giveUpMs = LIMITS.turnReopenMs,
}: TurnStreams): AsyncGenerator<TurnEvent> {
  const news = new TurnNews()
  const open = (isAgain: boolean): Promise<Answer> =>
    news.turnId === null ? begin() : resume(news.turnId, news.textChars, isAgain)
  const canReopen = (): boolean => news.turnId !== null
  try {
    for await (const message of reopenedStream(open, { signal, onLost, canReopen, giveUpMs })) {
      const event = readTurnEvent(message)
      if (event === null || !news.take(event)) continue
      yield event.type === 'result' && !event.ok
        ? { ...event, next: afterFailure(news.turnId ?? '', event.code) }
        : event
      if (event.type === 'result') return
    }
  } catch (error) {
    throw news.turnId === null || !isLost(error) ? error : lostSight(news.turnId, error)
  }
  signal?.throwIfAborted()
}

/** Opens the stream of a turn that exists. */
export function resumeTurn(stream: Caller['stream'], signal: AbortSignal | undefined): TurnStreams['resume'] {
  return (turnId, from, isAgain) =>
    stream(`${pathOf(['turns', turnId, 'stream'])}${queryOf({ from: from === 0 ? undefined : from })}`, signal, isAgain)
}

function afterFailure(turnId: string, code: string | null): string {
  if (code === 'CANCELLED') return `\`turns.retry('${turnId}')\` runs it again`
  if (code === 'EXIT_127' || code === 'EXIT_126') return `${NOT_RUN}; ${standardError(turnId)}`
  return standardError(turnId)
}

const NOT_RUN = 'A program is not there, or may not be run: look at `command` in the profile, and at what it starts'

function standardError(turnId: string): string {
  return `\`turns.get('${turnId}')\` has what its program wrote to standard error (\`stderr\`), its steps and tries`
}

/** Not the daemon's absence as such: what was asked for has been begun. */
function lostSight(turnId: string, cause: unknown): IncompleteError {
  const message = `stringd is away, and with it turn ${turnId}; when it is back, turns.get tells what became of it`
  return new IncompleteError(message, { cause, turnId })
}

/** What has been heard of a turn: a stream that is opened again begins from its beginning, but for the text. */
class TurnNews {
  turnId: string | null = null
  textChars = 0
  #lastStep = 0
  #position = 0
  #isStarted = false
  readonly #approvals = new Map<string, string>()

  /** Whether this is something new. */
  take(event: TurnEvent): boolean {
    switch (event.type) {
      case 'queued':
        return this.#queued(event.turn_id, event.position)
      case 'start':
        return this.#start(event.turn_id)
      case 'partial':
        this.textChars += event.text.length
        return true
      case 'step':
        if (event.index <= this.#lastStep) return false
        this.#lastStep = event.index
        return true
      case 'approval':
        return this.#approval(event.id, event.state)
      case 'result':
        return true
    }
  }

  #approval(id: string, state: string): boolean {
    const isNew = this.#approvals.get(id) !== state
    this.#approvals.set(id, state)
    return isNew
  }

  #queued(turnId: string, position: number): boolean {
    const isNew = this.#position !== position
    this.turnId = turnId
    this.#position = position
    return isNew
  }

  #start(turnId: string): boolean {
    const isNew = !this.#isStarted
    this.turnId = turnId
    this.#isStarted = true
    return isNew
  }
}

/** Null: nothing that we know, which a newer daemon may say. */
function readTurnEvent({ event, data }: SseEvent): TurnEvent | null {
  const fields = parseJson(data)
  if (!isFields(fields) || !hasFields(event, fields)) return null
  // The fields that are relied on here were looked at; the others are the daemon's word, as in every answer.
  return { type: event, ...fields } as TurnEvent
}

function hasFields(event: string, { turn_id, position, text, index, ok, id, state }: Record<string, unknown>): boolean {
  switch (event) {
    case 'queued':
      return typeof turn_id === 'string' && typeof position === 'number'
    case 'start':
      return typeof turn_id === 'string'
    case 'partial':
      return typeof text === 'string'
    case 'step':
      return typeof index === 'number'
    case 'approval':
      return typeof id === 'string' && typeof state === 'string'
    case 'result':
      return typeof ok === 'boolean'
    default:
      return false
  }
}
