import type { TurnResult } from '@string-os/bridge'
import { IncompleteError, type StringClient, StringClientError, UnreachableError } from '@string-os/client'
import { count, LIMITS, type TurnEvent, type TurnResultView } from '@string-os/protocol'
import type { TurnHooks } from '../bridge/agent-turn.ts'
import { LEFT } from '../bridge/interruption.ts'
import { inOwnName } from '../program-name.ts'
import { shortId } from '../turns/short-id.ts'
import { Answering } from './answering.ts'
import type { TurnOutcome } from './conversation.ts'

/** Says something to an agent of the daemon, and tells what it answers. */
export function askTurn(
  client: StringClient,
  message: string,
  session: string,
  hooks: TurnHooks,
): Promise<TurnOutcome> {
  const watch = new Watch(client, hooks.signal, null)
  const { reopenMs, signal } = watch
  return hearTurn(client, client.turn(message, { session, reopenMs, signal }), watch, hooks)
}

/** Tells what a turn says that was asked for elsewhere, or before. */
export function followTurn(client: StringClient, turnId: string, hooks: TurnHooks): Promise<TurnOutcome> {
  const watch = new Watch(client, hooks.signal, turnId)
  const { reopenMs, signal } = watch
  return hearTurn(client, client.turns.follow(turnId, signal, reopenMs), watch, hooks)
}

async function hearTurn(
  client: StringClient,
  events: AsyncIterable<TurnEvent>,
  watch: Watch,
  hooks: TurnHooks,
): Promise<TurnOutcome> {
  const answering = new Answering(client, hooks)
  let result: TurnResultView | null = null
  try {
    for await (const event of events) {
      watch.knows(event)
      if (event.type === 'partial') hooks.onPartial?.(event.text, null)
      if (event.type === 'step') hooks.onStep?.(event)
      if (event.type === 'approval') answering.take(event)
      if (event.type === 'queued') hooks.onNote?.(waitingText(event.position))
      if (event.type === 'result') result = event
    }
  } catch (error) {
    if (watch.signal.aborted && watch.id !== null) return { ...resultOf(failure(''), ''), goesOn: watch.id }
    if (!(error instanceof StringClientError)) throw error
    return resultOf(failure(lostText(error, watch.id)), '')
  } finally {
    watch.end()
    answering.end()
  }
  if (result === null) return resultOf(failure('The turn came to no end'), '')
  if (result.ok || watch.id === null) return resultOf(result, '')
  const isOwn = hooks.signal?.aborted === true
  if (result.code === 'CANCELLED' && !isOwn) return resultOf({ ...result, ...endedElsewhere(result, watch.id) }, '')
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
function endedElsewhere({ error: said }: TurnResultView, turnId: string): Pick<TurnResultView, 'code' | 'error'> {
  const id = shortId(turnId)
  // Where it was not a person who cancelled it, the daemon tells what it was.
  const why = said === null || /cancelled/.test(said) ? 'The turn was ended elsewhere' : said.replace(/\.$/, '')
  const error = `${why}; string turn show ${id} tells, string turn retry ${id} runs it again`
  return { code: null, error: inOwnName(error) }
}

/** Of a turn that failed, how to see all of it. */
function withNext(result: TurnResultView, turnId: string | null): TurnResultView {
  if (turnId === null || result.code === 'CANCELLED' || result.error === null) return result
  return { ...result, error: inOwnName(`${result.error}\nstring turn show ${shortId(turnId)} shows all of the turn`) }
}

/** Of a turn that is known by its name, what to type. */
function lostText(error: StringClientError, turnId: string | null): string {
  const isBroken = error instanceof IncompleteError
  if (!isBroken && !(error instanceof UnreachableError)) return error.message
  if (turnId === null)
    return inOwnName(
      isBroken
        ? 'stringd went away before it said that it has the message; string turns tells whether it has'
        : `${error.message}; the message was not sent: string start starts the daemon`,
    )
  return inOwnName(
    `stringd ended while turn ${shortId(turnId)} ran; string turn show ${shortId(turnId)} tells what became of it`,
  )
}

/** Ends the turn when that is wanted, or only the watching of it, as soon as it is known which one it is. */
class Watch {
  readonly reopenMs = LIMITS.chatReopenMs
  readonly #client: StringClient
  readonly #asked: AbortSignal | undefined
  readonly #left = new AbortController()
  id: string | null

  constructor(client: StringClient, asked: AbortSignal | undefined, id: string | null) {
    this.#client = client
    this.#asked = asked
    this.id = id
    asked?.addEventListener('abort', this.#end)
  }

  /** Nobody stays for what the turn says. */
  get signal(): AbortSignal {
    return this.#left.signal
  }

  knows(event: TurnEvent): void {
    if (this.id !== null || !(event.type === 'queued' || event.type === 'start')) return
    this.id = event.turn_id
    if (this.#asked?.aborted === true) this.#end()
  }

  end(): void {
    this.#asked?.removeEventListener('abort', this.#end)
  }

  readonly #end = (): void => {
    if (this.id === null) return
    if (this.#asked?.reason === LEFT) this.#left.abort()
    // Whether it worked is seen in the stream of the turn.
    else void this.#client.turns.cancel(this.id).catch(() => undefined)
  }
}

function resultOf({ code, ...result }: TurnResultView, stderr: string): TurnResult {
  const own = { cancelled: code === 'CANCELLED', agent_error: code === 'AGENT_ERROR' }
  return { ...result, ...own, stderr, said: '', body: '', usage: null }
}

function failure(error: string): TurnResultView {
  const none = { ok: false, reply: '', code: null, session_id: null, timed_out: false, truncated: false }
  return { ...none, error, exit_code: 1, duration_ms: 0 }
}
