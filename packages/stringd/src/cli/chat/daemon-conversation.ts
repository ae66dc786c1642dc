import type { TurnResult } from '@string-os/bridge'
import { IncompleteError, type StringClient, StringClientError } from '@string-os/client'
import { DEFAULT_SESSION, LIMITS, type TurnEvent, type TurnResultView } from '@string-os/protocol'
import type { TurnHooks } from '../bridge/agent-turn.ts'
import { LEFT } from '../bridge/interruption.ts'
import { inOwnName } from '../program-name.ts'
import { shortId } from '../turns/short-id.ts'
import { Answering } from './answering.ts'
import type { Conversation, TurnOutcome } from './conversation.ts'
import type { KnownAgent } from './known-agents.ts'

/** How to speak to a daemon for one of its agents. */
export type ClientOf = (agentId: string) => StringClient

/** A talk with an agent that lives in the daemon: turns go on when the terminal is closed, and are in its history. */
export async function daemonConversation(clientOf: ClientOf, agent: string, session: string): Promise<Conversation> {
  let id = agent
  let name = session
  let known = await sessionsOf(clientOf(id), id)
  return {
    label: () => (name === DEFAULT_SESSION ? id : `${id}/${name}`),
    session: () => ({ name, id: known.get(name) ?? null }),
    sessionNames: () => [...known.keys()],
    switchTo: (other) => {
      name = other
    },
    forget: async () => {
      await clientOf(id).agents.forgetSession(id, name)
      known.delete(name)
    },
    say: async (message, hooks) => {
      const result = await say(clientOf(id), message, name, hooks)
      if (result.session_id !== null || result.ok) known.set(name, result.session_id ?? 'begun')
      return result
    },
    agents: async () => agentsOf(clientOf(id)),
    talkTo: async ({ name: other }) => {
      known = await sessionsOf(clientOf(other), other)
      id = other
    },
  }
}

async function sessionsOf(client: StringClient, id: string): Promise<Map<string, string>> {
  const sessions = await client.agents.sessions(id)
  return new Map(sessions.map(({ session, session_id }) => [session, session_id ?? 'begun']))
}

async function agentsOf(client: StringClient): Promise<KnownAgent[]> {
  const agents = await client.agents.list()
  return agents.map(({ id, home, profile }) => ({ name: id, about: profile ?? home, profile: id, isInDaemon: true }))
}

async function say(client: StringClient, message: string, session: string, hooks: TurnHooks): Promise<TurnOutcome> {
  const watch = new Watch(client, hooks.signal)
  const answering = new Answering(client, hooks)
  let result: TurnResultView | null = null
  try {
    const { reopenMs, signal } = watch
    for await (const event of client.turn(message, { session, reopenMs, signal })) {
      watch.knows(event)
      if (event.type === 'partial') hooks.onPartial?.(event.text, null)
      if (event.type === 'step') hooks.onStep?.(event)
      if (event.type === 'approval') answering.take(event)
      if (event.type === 'queued') hooks.onWarning?.(`${event.position} before this one in the session; it waits`)
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
  const { stderr = '' } = result.ok || watch.id === null ? {} : await client.turns.get(watch.id)
  return resultOf(result.ok ? result : withNext(result, watch.id), stderr)
}

/** A person who reads why it failed is told where all of it is. */
function withNext(result: TurnResultView, turnId: string | null): TurnResultView {
  if (turnId === null || result.code === 'CANCELLED' || result.error === null) return result
  return { ...result, error: inOwnName(`${result.error}\nstring turn show ${shortId(turnId)} shows all of the turn`) }
}

/** Of a turn that is known by its name, what to type. */
function lostText(error: StringClientError, turnId: string | null): string {
  if (!(error instanceof IncompleteError) || turnId === null) return error.message
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
  id: string | null = null

  constructor(client: StringClient, asked: AbortSignal | undefined) {
    this.#client = client
    this.#asked = asked
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
