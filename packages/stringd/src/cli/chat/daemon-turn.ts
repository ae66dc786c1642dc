import { randomUUID } from 'node:crypto'
import { IncompleteError, type StringClient, StringClientError, UnreachableError } from '@string-os/client'
import { AGENT_REMOVED, count, LIMITS, shortId, type TurnEvent, type TurnResultView } from '@string-os/protocol'
import type { TurnHooks } from '../bridge/agent-turn.ts'
import { LEFT } from '../bridge/interruption.ts'
import { isCliError } from '../exit.ts'
import { inOwnName } from '../program-name.ts'
import { Answering } from './answering.ts'
import type { TurnOutcome } from './conversation.ts'
import type { DaemonLine } from './daemon-line.ts'

/** Through whom a turn is heard, and who hears of it. */
interface Hearing {
  readonly client: StringClient
  readonly line: DaemonLine
  readonly hooks: TurnHooks
}

/** Says something to an agent of the daemon, and tells what it answers. */
export function askTurn(hearing: Hearing, message: string, session: string): Promise<TurnOutcome> {
  const { client, hooks } = hearing
  const watch = new Watch(client, hooks, null)
  const { reopenMs, signal } = watch
  // What is sent again under the same id is taken once.
  const requestId = randomUUID()
  const send = (): AsyncGenerator<TurnEvent> => client.turn(message, { session, requestId, reopenMs, signal })
  return named(hearTurn(hearing, takenForSure(send, watch), watch), watch)
}

async function named(heard: Promise<TurnOutcome>, watch: Watch): Promise<TurnOutcome> {
  return { ...(await heard), turnId: watch.id }
}

/** Tells what a turn says that was asked for elsewhere, or before. */
export function followTurn(hearing: Hearing, turnId: string): Promise<TurnOutcome> {
  const { client, hooks } = hearing
  const watch = new Watch(client, hooks, turnId)
  const { reopenMs, signal } = watch
  return hearTurn(hearing, client.turns.follow(turnId, { signal, reopenMs }), watch)
}

/** A daemon that broke off before it named the turn may have it, or not: the next one is told once more. */
async function* takenForSure(send: () => AsyncGenerator<TurnEvent>, watch: Watch): AsyncGenerator<TurnEvent> {
  try {
    yield* send()
  } catch (error) {
    if (!(error instanceof IncompleteError) || watch.id !== null) throw error
    yield* send()
  }
}

async function hearTurn(
  { client, line, hooks }: Hearing,
  events: AsyncIterable<TurnEvent>,
  watch: Watch,
): Promise<TurnOutcome> {
  const answering = new Answering(client, hooks)
  let result: TurnResultView | null = null
  try {
    for await (const event of events) {
      watch.knows(event)
      if (line.isAnother()) hooks.onNote?.('the daemon had gone, and is there again')
      if (event.type === 'partial') hooks.onPartial?.(event.text, null)
      if (event.type === 'step') hooks.onStep?.(event)
      if (event.type === 'approval') answering.take(event)
      if (event.type === 'queued') hooks.onNote?.(waitingText(event.position))
      if (event.type === 'result') result = event
    }
  } catch (error) {
    if (watch.signal.aborted && watch.id !== null) return { ...resultOf(failure(''), ''), goesOn: watch.id }
    if (!(error instanceof StringClientError) && !isCliError(error)) throw error
    const code = error instanceof StringClientError ? error.code : null
    return { ...resultOf({ ...failure(lostText(error, watch)), code }, ''), isUnsent: watch.id === null }
  } finally {
    watch.end()
    answering.end()
  }
  if (result === null) return resultOf(failure('The turn came to no end'), '')
  for (const warning of result.warnings ?? []) hooks.onWarning?.(warning)
  if (result.ok || watch.id === null) return resultOf(result, '')
  const isOwn = hooks.signal?.aborted === true
  if (result.code === 'CANCELLED' && !isOwn)
    return { ...resultOf({ ...result, error: endedElsewhere(result, watch.id) }, ''), isEndedElsewhere: true }
  return resultOf(withNext(result, watch.id), await stderrOf(client, watch.id))
}

/** A daemon that ended its turns because it ends itself is not there to be asked; how to see all of it later is said anyway. */
async function stderrOf(client: StringClient, turnId: string): Promise<string> {
  try {
    return (await client.turns.get(turnId)).stderr
  } catch (error) {
    if (error instanceof StringClientError) return ''
    throw error
  }
}

function waitingText(before: number): string {
  return `it waits: ${count(before, 'message')} before it in this session`
}

/** Nobody here wanted that. */
function endedElsewhere({ error: said }: TurnResultView, turnId: string): string {
  const id = shortId(turnId)
  // Nothing is left to be shown or run.
  if (said?.includes(AGENT_REMOVED) === true) return inOwnName(said)
  const why = said === null ? 'The turn was ended elsewhere' : said.replace(/\.$/, '')
  return inOwnName(`${why}; string turn show ${id} tells what it did, string turn retry ${id} runs it again`)
}

/** Of a turn that failed, how to see all of it. */
function withNext(result: TurnResultView, turnId: string | null): TurnResultView {
  if (turnId === null || result.code === 'CANCELLED' || result.error === null) return result
  return { ...result, error: inOwnName(`${result.error}\nstring turn show ${shortId(turnId)} shows all of the turn`) }
}

/** What became of the message, as far as that is known, and what to type. */
function lostText(error: Error, { id, hasBegun }: Watch): string {
  const isBroken = error instanceof IncompleteError
  if (id === null && isBroken)
    return inOwnName('stringd went away before it said that it has the message; string turns tells whether it has')
  const isAway = isBroken || error instanceof UnreachableError
  if (id === null) return isAway || isCliError(error) ? `${error.message}; the message was not sent` : error.message
  if (!isAway) return error.message
  const turn = shortId(id)
  return inOwnName(
    hasBegun
      ? `The turn was cut off: stringd ended while turn ${turn} ran; string turn show ${turn} has what is kept of it, string turn retry ${turn} runs it again`
      : `stringd ended while turn ${turn} waited; it runs when stringd is there again, and string turn show ${turn} tells what becomes of it`,
  )
}

/** Ends the turn when that is wanted, or only the watching of it, as soon as it is known which one it is. */
class Watch {
  readonly reopenMs = LIMITS.chatReopenMs
  readonly #client: StringClient
  readonly #asked: AbortSignal | undefined
  readonly #now: AbortSignal | undefined
  readonly #left = new AbortController()
  id: string | null
  /** It does not wait any more. */
  hasBegun = false

  constructor(client: StringClient, { signal, now }: TurnHooks, id: string | null) {
    this.#client = client
    this.#asked = signal
    this.#now = now
    this.id = id
    signal?.addEventListener('abort', this.#end)
    now?.addEventListener('abort', this.#end)
  }

  /** Nobody stays for what the turn says. */
  get signal(): AbortSignal {
    return this.#left.signal
  }

  knows(event: TurnEvent): void {
    this.hasBegun = event.type !== 'queued'
    if (this.id !== null || !(event.type === 'queued' || event.type === 'start')) return
    this.id = event.turn_id
    if (this.#asked?.aborted === true) this.#end()
    if (this.#now?.aborted === true) this.#end()
  }

  end(): void {
    this.#asked?.removeEventListener('abort', this.#end)
    this.#now?.removeEventListener('abort', this.#end)
  }

  readonly #end = (): void => {
    if (this.id === null) return
    if (this.#asked?.reason === LEFT) this.#left.abort()
    // Whether it worked is seen in the stream of the turn; said again, it ends without a grace.
    else void this.#client.turns.cancel(this.id).catch(() => undefined)
  }
}

function resultOf({ code, ...result }: TurnResultView, stderr: string): TurnOutcome {
  const own = { cancelled: code === 'CANCELLED', agent_error: code === 'AGENT_ERROR' }
  return { ...result, ...own, code, stderr, said: '', body: '', usage: null }
}

function failure(error: string): TurnResultView {
  const none = { ok: false, reply: '', code: null, session_id: null, timed_out: false, truncated: false }
  return { ...none, error, exit_code: 1, duration_ms: 0 }
}
