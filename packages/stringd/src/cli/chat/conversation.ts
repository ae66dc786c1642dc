import type { TurnResult } from '@string-os/bridge'
import { type AgentPlace, type TurnHooks, takeTurn } from '../bridge/agent-turn.ts'

/** A talk with one agent, in one of its sessions at a time. */
export interface Conversation {
  readonly session: () => { readonly name: string; readonly id: string | null }
  readonly sessionNames: () => string[]
  readonly switchTo: (name: string) => void
  /** The next message begins the session anew. */
  readonly forget: () => Promise<void>
  readonly say: (message: string, hooks: TurnHooks) => Promise<TurnResult>
}

export function startConversation(place: AgentPlace, firstSession: string): Conversation {
  const { owner, sessions } = place
  let name = firstSession
  return {
    session: () => ({ name, id: sessions.find(owner, name) }),
    sessionNames: () => sessions.names(owner),
    switchTo: (other) => {
      name = other
    },
    forget: () => sessions.keep(owner, name, null),
    say: (message, hooks) =>
      takeTurn(place, { message, sessionName: name, sessionId: null, fromUser: '', attachments: [] }, hooks),
  }
}
