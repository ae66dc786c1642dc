import type { TurnResult } from '@string-os/bridge'
import { type StringClient, StringClientError } from '@string-os/client'
import type { TurnEvent, TurnResultView } from '@string-os/protocol'
import type { TurnHooks } from '../bridge/agent-turn.ts'
import { Answering } from './answering.ts'
import type { Conversation } from './conversation.ts'
import type { KnownAgent } from './known-agents.ts'

/** How to speak to a daemon for one of its agents. */
export type ClientOf = (agentId: string) => StringClient

/** A talk with an agent that lives in the daemon: turns go on when the terminal is closed, and are in its history. */
export async function daemonConversation(clientOf: ClientOf, agent: string, session: string): Promise<Conversation> {
  let id = agent
  let name = session
  let known = await sessionsOf(clientOf(id), id)
  return {
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

async function say(client: StringClient, message: string, session: string, hooks: TurnHooks): Promise<TurnResult> {
  const cancel = new Cancel(client, hooks.signal)
  const answering = new Answering(client, hooks)
  let result: TurnResultView | null = null
  try {
    for await (const event of client.turn(message, { session })) {
      cancel.knows(event)
      if (event.type === 'partial') hooks.onPartial?.(event.text, null)
      if (event.type === 'step') hooks.onStep?.(event)
      if (event.type === 'approval') answering.take(event)
      if (event.type === 'queued') hooks.onWarning?.(`${event.position} before this one in the session; it waits`)
      if (event.type === 'result') result = event
    }
  } catch (error) {
    if (!(error instanceof StringClientError)) throw error
    return resultOf(failure(error.message), '')
  } finally {
    cancel.end()
    answering.end()
  }
  if (result === null) return resultOf(failure('The turn came to no end'), '')
  const { stderr = '' } = result.ok || cancel.id === null ? {} : await client.turns.get(cancel.id)
  return resultOf(result, stderr)
}

/** Ends the turn as soon as it is wanted and known which one it is. */
class Cancel {
  readonly #client: StringClient
  readonly #signal: AbortSignal | undefined
  id: string | null = null

  constructor(client: StringClient, signal: AbortSignal | undefined) {
    this.#client = client
    this.#signal = signal
    signal?.addEventListener('abort', this.#cancel)
  }

  knows(event: TurnEvent): void {
    if (this.id !== null || !(event.type === 'queued' || event.type === 'start')) return
    this.id = event.turn_id
    if (this.#signal?.aborted === true) this.#cancel()
  }

  end(): void {
    this.#signal?.removeEventListener('abort', this.#cancel)
  }

  readonly #cancel = (): void => {
    // Whether it worked is seen in the stream of the turn.
    if (this.id !== null) void this.#client.turns.cancel(this.id).catch(() => undefined)
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
