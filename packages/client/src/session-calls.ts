import type { SessionCancelled, SessionShown, SessionTouched, SessionView } from '@string-os/protocol'
import type { Call } from './call.ts'
import { type Caller, type ListPart, pathOf, queryOf } from './calls.ts'
import { given, known } from './option-names.ts'
import type { CancelOptions } from './options.ts'

/** `client.sessions` */
export interface SessionCalls {
  /** The sessions of one agent, or of all. */
  readonly list: (agent?: string, part?: ListPart) => Promise<SessionView[]>
  /** What a topic of the agent shows now. */
  readonly show: (topic: string) => Promise<SessionShown>
  readonly open: (topic: string) => Promise<SessionTouched>
  readonly close: (topic: string) => Promise<boolean>
  /** Ends the command that runs in a topic, and with `all` those that wait; the session stays. Answers how many. */
  readonly cancel: (topic: string, options?: CancelOptions) => Promise<number>
}

/** Ends what runs in a topic. */
export function cancelOf(agentId: string, topic: string): Call {
  return { method: 'POST', path: pathOf(['sessions', agentId, topic, 'cancel']), body: {} }
}

export function sessionCalls({ json }: Caller, agentId: () => string): SessionCalls {
  return {
    show: async (topic) => {
      given('sessions.show', { topic })
      return json({ method: 'GET', path: pathOf(['sessions', agentId(), topic]) })
    },
    list: async (agent, part = {}) => {
      const { limit, before } = known('sessions.list', part)
      const path = `/sessions${queryOf({ agent_id: agent, limit, before })}`
      const { sessions } = await json<{ sessions: SessionView[] }>({ method: 'GET', path })
      return sessions
    },
    open: async (topic) => {
      given('sessions.open', { topic })
      return json({ method: 'POST', path: '/sessions', body: { agent_id: agentId(), topic } })
    },
    close: async (topic) => {
      given('sessions.close', { topic })
      const path = pathOf(['sessions', agentId(), topic])
      const { deleted } = await json<{ deleted: boolean }>({ method: 'DELETE', path })
      return deleted
    },
    cancel: async (topic, options = {}) => {
      given('sessions.cancel', { topic })
      const { all = false } = known('sessions.cancel', options)
      const { cancelled } = await json<SessionCancelled>({ ...cancelOf(agentId(), topic), body: { all } })
      return cancelled
    },
  }
}
