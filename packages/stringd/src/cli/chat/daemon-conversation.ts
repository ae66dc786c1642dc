import type { AgentActivity, StringClient } from '@string-os/client'
import { type AgentSessionView, DEFAULT_SESSION, type TurnSummary, tellingCode, visibleLine } from '@string-os/protocol'
import { shellWord } from '../../doctor/shell-word.ts'
import { agentState, profileFile } from '../agent/agent-state.ts'
import { everyActivity, knownActivity } from '../agent/known-agent.ts'
import { whyNot } from '../agent/talking-agent.ts'
import { clockTime } from '../turns/time.ts'
import type { Conversation, PastTurn, TurnOutcome } from './conversation.ts'
import type { DaemonLine } from './daemon-line.ts'
import { askTurn, followTurn } from './daemon-turn.ts'
import type { KnownAgent } from './known-agents.ts'

/** A talk with an agent that lives in the daemon: turns go on when the terminal is closed, and are in its history. */
export async function daemonConversation(line: DaemonLine, agent: string, session: string): Promise<Conversation> {
  const { clientOf } = line
  let id = agent
  let name = session
  let known = await sessionsOf(clientOf(id), id)
  return {
    profile: async () => {
      const [agent] = await knownActivity(clientOf(id), id)
      return agent === undefined ? null : profileFile(agent)
    },
    label: () => (name === DEFAULT_SESSION ? id : `${id}/${name}`),
    returning: () => `string chat ${id}${name === DEFAULT_SESSION ? '' : ` --session ${shellWord(name)}`}`,
    session: () => ({ name, id: shownId(known.get(name)) }),
    sessionNames: () => [...known.keys()],
    switchTo: (other) => {
      name = other
    },
    forget: async () => {
      await clientOf(id).agents.forgetSession(id, name)
      known.delete(name)
    },
    say: async (message, hooks) => {
      const result = await toldWhy(
        clientOf(id),
        id,
        await askTurn({ client: clientOf(id), line, hooks }, message, name),
      )
      if (result.session_id !== null || result.ok)
        known.set(name, { session: name, session_id: result.session_id, used_at: new Date().toISOString() })
      return result
    },
    past: async (limit) => {
      const turns = await clientOf(id).turns.list({ agent: id, session: name, limit })
      return Promise.all(turns.reverse().map((turn) => withAnswer(clientOf(id), turn)))
    },
    remembers: (turn) => isSince(known.get(name), turn),
    follow: ({ turn_id }, hooks) => followTurn({ client: clientOf(id), line, hooks }, turn_id),
    agents: async () => agentsOf(clientOf(id)),
    talkTo: async ({ name: other }) => {
      known = await sessionsOf(clientOf(other), other)
      id = other
    },
  }
}

/** What was refused for its profile, with what a person does about that. */
async function toldWhy(client: StringClient, id: string, result: TurnOutcome): Promise<TurnOutcome> {
  if (result.isUnsent !== true || result.code !== 'NO_PROFILE') return result
  const why = whyNot(await client.agents.get(id))
  return why === null ? result : { ...result, error: why }
}

async function sessionsOf(client: StringClient, id: string): Promise<Map<string, AgentSessionView>> {
  const sessions = await client.agents.sessions(id)
  return new Map(sessions.map((session) => [session.session, session]))
}

/** What an agent said while it worked is no reply, and in no list; to a person it is the answer. */
async function withAnswer(client: StringClient, turn: TurnSummary): Promise<PastTurn> {
  const { result } = turn
  if (result === null || (result.ok && result.reply !== '')) return turn
  const { partial, stderr } = await client.turns.get(turn.turn_id)
  return { ...turn, stderr, result: { ...result, reply: result.reply === '' ? partial : result.reply } }
}

/** Not every agent gives its sessions a name. */
function shownId(session: AgentSessionView | undefined): string | null {
  return session === undefined ? null : (session.session_id ?? 'begun')
}

/** A session that is begun anew has no id of its agent, and was used later than by its last turn. */
function isSince(session: AgentSessionView | undefined, { ended_at }: TurnSummary): boolean {
  if (session === undefined) return false
  const wasAnew = Date.parse(session.used_at) - Date.parse(ended_at ?? session.used_at) > SETTLED_MS
  return session.session_id !== null || !wasAnew
}

/** What follows from the end of a turn is stored a little later. */
const SETTLED_MS = 500

/** `running`, `paused`, `failing, last turn failed EXIT_3 12:02:25`. */
function doingOf(agent: AgentActivity): string {
  const { last_turn: last } = agent
  const now = agentState(agent)
  if (last === null || last.ended_at === null) return now
  const why = tellingCode(last)
  return `${now}, last turn ${last.state}${why === null ? '' : ` ${visibleLine(why)}`} ${clockTime(last.ended_at, Date.now())}`
}

async function agentsOf(client: StringClient): Promise<KnownAgent[]> {
  const agents = await everyActivity(client)
  return agents
    .filter(({ has_profile }) => has_profile)
    .map((agent) => ({
      name: agent.id,
      about: `${doingOf(agent)} · ${agent.profile ?? agent.home}`,
      profile: agent.id,
      isInDaemon: true,
    }))
}
