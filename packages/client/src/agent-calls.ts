import type { AgentActivity, AgentRegistered, AgentRow, AgentSessionView, AgentStanding } from '@string-os/protocol'
import { type Caller, type ListPart, pathOf, queryOf } from './calls.ts'
import { given, known } from './option-names.ts'
import type { AgentFields, AgentListFilter } from './options.ts'

/** `client.agents` */
export interface AgentCalls {
  /**
   * All, or the last `limit` before one; in the order in which they were registered, each with what it does. By `order: 'state'`
   * those come first that wait, run or failed, by `'name'` it is that of the ids; `before` then leads to those behind it.
   */
  readonly list: (filter?: AgentListFilter) => Promise<AgentRow[]>
  /** One agent, and what it does now. */
  readonly get: (id: string) => Promise<AgentActivity>
  /** Registers an agent, or changes the fields that are given. */
  readonly register: (id: string, fields?: AgentFields) => Promise<AgentRegistered>
  /** What registering it would say; nothing is changed. A profile that cannot be used is thrown, as by `register`. */
  readonly check: (id: string, fields?: AgentFields) => Promise<AgentRegistered>
  readonly remove: (id: string) => Promise<boolean>
  /** Events wait from now on, also after a restart; people may still ask. */
  readonly pause: (id: string) => Promise<AgentStanding>
  readonly resume: (id: string) => Promise<AgentStanding>
  /** Ends the turns that run, drops those that wait, and pauses. */
  readonly stop: (id: string) => Promise<AgentStanding>
  readonly start: (id: string) => Promise<AgentStanding>
  /** Its conversations, used last first. */
  readonly sessions: (id: string, part?: ListPart) => Promise<AgentSessionView[]>
  /** The next message begins that conversation anew. */
  readonly forgetSession: (id: string, session: string) => Promise<boolean>
}

export function agentCalls({ json, absolute }: Caller): AgentCalls {
  const placed = (path: string | undefined): string | undefined => (path === undefined ? undefined : absolute(path))
  const registration = (id: string, { home, allowedPaths, profile }: AgentFields): object => {
    return { agent_id: id, home: placed(home), allowed_paths: allowedPaths?.map(absolute), profile: placed(profile) }
  }
  const stand = async (id: string, verb: 'pause' | 'resume' | 'start' | 'stop'): Promise<AgentStanding> => {
    given(`agents.${verb}`, { id })
    return json({ method: 'POST', path: pathOf(['agents', id, verb]) })
  }
  return {
    list: async (filter = {}) => {
      const { limit, before, order, state, named, all } = known('agents.list', filter)
      const path = `/agents${queryOf({ limit, before, order, state, named, all: all === true ? 1 : undefined })}`
      const { agents } = await json<{ agents: AgentRow[] }>({ method: 'GET', path })
      return agents
    },
    get: async (id) => {
      given('agents.get', { id })
      return json({ method: 'GET', path: pathOf(['agents', id]) })
    },
    register: async (id, fields = {}) => {
      given('agents.register', { id })
      return json({ method: 'POST', path: '/agents', body: registration(id, known('agents.register', fields)) })
    },
    check: async (id, fields = {}) => {
      given('agents.check', { id })
      const body = { ...registration(id, known('agents.register', fields)), check: true }
      return json({ method: 'POST', path: '/agents', body })
    },
    remove: async (id) => {
      given('agents.remove', { id })
      const { deleted } = await json<{ deleted: boolean }>({ method: 'DELETE', path: pathOf(['agents', id]) })
      return deleted
    },
    pause: (id) => stand(id, 'pause'),
    resume: (id) => stand(id, 'resume'),
    stop: (id) => stand(id, 'stop'),
    start: (id) => stand(id, 'start'),
    sessions: async (id, part = {}) => {
      given('agents.sessions', { id })
      const { limit, before } = known('agents.sessions', part)
      const path = `${pathOf(['agents', id, 'sessions'])}${queryOf({ limit, before })}`
      const { sessions } = await json<{ sessions: AgentSessionView[] }>({ method: 'GET', path })
      return sessions
    },
    forgetSession: async (id, session) => {
      given('agents.forgetSession', { id, session })
      const path = pathOf(['agents', id, 'sessions', session])
      const { forgotten } = await json<{ forgotten: boolean }>({ method: 'DELETE', path })
      return forgotten
    },
  }
}
