import type { TurnResult } from '@string-os/bridge'
import type { TurnSummary } from '@string-os/protocol'
import { shellWord } from '../../doctor/shell-word.ts'
import { type AgentPlace, type TurnHooks, takeTurn } from '../bridge/agent-turn.ts'
import { cutNote } from '../bridge/cut-note.ts'
import type { KnownAgent } from './known-agents.ts'

/** How a message was answered. */
export interface TurnOutcome extends TurnResult {
  /** The turn that goes on in the daemon, as nobody stayed for its answer. */
  readonly goesOn?: string
  /** Of one that failed, what turns call that: `LIMIT_REACHED`, `TIMEOUT`, `EXIT_1`… */
  readonly code?: string | null
  /** It succeeded, and its agent said nothing at all. */
  readonly silent?: true
  /** Of a turn in the daemon, by what it is found again. */
  readonly turnId?: string | null
  /** Nobody here has cancelled it: why it is over is told. */
  readonly isEndedElsewhere?: boolean
  /** No turn is known that has the message: it is its person's again. */
  readonly isUnsent?: boolean
}

/** A turn of before. */
export interface PastTurn extends TurnSummary {
  /** What its agent printed on standard error, where it failed. */
  readonly stderr?: string
}

/** A talk with one agent at a time, in one of its sessions. */
export interface Conversation {
  /** The file by which its agent is run; null where that is not known. */
  readonly profile: () => Promise<string | null>
  /** What stands before the cursor. */
  readonly label: () => string
  /** What is typed to come back to it. */
  readonly returning: () => string
  readonly session: () => { readonly name: string; readonly id: string | null }
  readonly sessionNames: () => string[]
  readonly switchTo: (name: string) => void
  /** The next message begins the session anew. */
  readonly forget: () => Promise<void>
  readonly say: (message: string, hooks: TurnHooks) => Promise<TurnOutcome>
  /** The last turns of the session, newest last; null where only the agent itself remembers. */
  readonly past: (limit: number) => Promise<readonly PastTurn[] | null>
  /** Whether the agent knows of a turn that is over, or the session was begun anew since then. */
  readonly remembers: (turn: TurnSummary) => boolean
  /** Goes on with a turn that is not over, as if it had been asked for here. */
  readonly follow: (turn: TurnSummary, hooks: TurnHooks) => Promise<TurnOutcome>
  /** Who can be talked to. */
  readonly agents: () => Promise<readonly KnownAgent[]>
  /** From now on messages go to another agent, to its session of the same name. */
  readonly talkTo: (agent: KnownAgent) => Promise<void>
}

/** Where agents are found, by what is known of them. */
export interface Agents {
  readonly list: Conversation['agents']
  readonly find: (agent: KnownAgent) => Promise<AgentPlace>
}

/** What is said below an answer that was cut. A daemon that has gone meanwhile is told of elsewhere. */
export async function cutIn(result: TurnResult, { profile }: Conversation): Promise<string | null> {
  return result.truncated ? cutNote(result, await profile().catch(() => null)) : null
}

export function startConversation(first: AgentPlace, firstSession: string, agents: Agents): Conversation {
  let place = first
  let name = firstSession
  return {
    profile: async () => place.profile.path,
    label: () => name,
    returning: () => `string chat --profile ${shellWord(place.profile.path)}`,
    session: () => ({ name, id: place.sessions.find(place.owner, name) }),
    sessionNames: () => place.sessions.names(place.owner),
    switchTo: (other) => {
      name = other
    },
    forget: () => place.sessions.keep(place.owner, name, null),
    say: (message, hooks) =>
      takeTurn(place, { message, sessionName: name, sessionId: null, fromUser: '', attachments: [] }, hooks),
    past: async () => null,
    remembers: () => true,
    // Its turns end with the chat that runs them.
    follow: () => Promise.reject(new Error('No turn goes on without its chat')),
    agents: agents.list,
    talkTo: async (agent) => {
      place = await agents.find(agent)
    },
  }
}
