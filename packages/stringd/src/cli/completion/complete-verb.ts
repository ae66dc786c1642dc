import { existsSync } from 'node:fs'
import { StringClient, type TurnSummary } from '@string-os/client'
import {
  COMMAND_MARKS,
  type CompletionView,
  DEFAULT_AGENT,
  type FleetView,
  HUBS,
  LIMITS,
  parseTopic,
  shortId,
  visibleLine,
} from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { profilePlace } from '../agent/profile-place.ts'
import { type Invocation, parseInvocation } from '../arguments.ts'
import { addressOf, runningDaemon } from '../daemon/find-daemon.ts'
import { EXIT } from '../exit.ts'
import { shellFolder } from '../run/shell-folder.ts'
import type { Program } from '../verb-row.ts'
import { completions, type Names, type Offer } from './completions.ts'

/** `string __complete -- WORD…`: what may stand in the place of the last word, a line each. Never starts a daemon. */
export async function runCompleteVerb({ words }: Invocation, config: Config, { verbs }: Program): Promise<number> {
  const typed = words.slice(words[1] === '--' ? 2 : 1)
  const before = typed.slice(0, -1)
  const agent = agentIn(before, verbs) ?? config.agent
  const late = new Promise<readonly Offer[]>((resolve) => {
    setTimeout(resolve, LIMITS.shellCompletionMs, []).unref()
  })
  const found = await Promise.race([
    completions(before, typed.at(-1) ?? '', verbs, namesFor(agent, config, typed.at(-1) ?? '')),
    late,
  ])
  const lines = found.map(({ text, about }) => `${text}\t${visibleLine(about)}\n`)
  await new Promise((resolve) => process.stdout.write(lines.join(''), resolve))
  // Whoever did not answer in time is not waited for.
  return process.exit(EXIT.ok)
}

function agentIn(words: readonly string[], verbs: Program['verbs']): string | null {
  try {
    return parseInvocation(words, verbs).agent
  } catch {
    return null
  }
}

/** Asks the daemon that runs; what it cannot tell is not completed. */
function namesFor(agent: string, config: Config, current: string): Names {
  const record = runningDaemon(config)
  const client = record === null ? null : new StringClient({ ...addressOf(record), agent })
  const asked = async (ask: (client: StringClient) => Promise<readonly Offer[]>): Promise<readonly Offer[]> =>
    client === null ? [] : ask(client).catch(() => [])
  return {
    agents: () => asked(async ({ agents }) => (await agents.list()).map(({ id, home }) => ({ text: id, about: home }))),
    talkers: () => asked(talkingAgents),
    topics: async () => [...(await asked(openTopics)), ...HUBS.map((hub) => ({ text: hub, about: 'topic' }))],
    turns: (which) =>
      asked(async ({ turns }) =>
        (await turns.list({})).filter(isOf(which)).map(({ turn_id, agent_id, state }) => ({
          text: named(turn_id, current),
          about: `${agent_id}, ${state}`,
        })),
      ),
    events: (which) =>
      asked(async ({ inbox }) =>
        (await inbox.list(which === undefined ? {} : { state: which })).map(({ id, agent_id, source }) => ({
          text: named(id, current),
          about: `${agent_id}, ${source}`,
        })),
      ),
    approvals: () =>
      asked(async ({ approvals }) =>
        (await approvals.list({ state: 'waiting' })).map(({ id, agent_id, question }) => ({
          text: named(id, current),
          about: `${agent_id}: ${question}`,
        })),
      ),
    sessions: (of) => asked((daemon) => conversations(daemon, of)),
    // It is asked where the agent shall live.
    nodes: () =>
      asked(async ({ fleet }) => {
        const { nodes }: FleetView = await fleet.nodes()
        return nodes.filter(({ here }) => here).map(({ name, state }) => ({ text: name, about: state }))
      }),
    clients: async () =>
      (await import('../mcp/mcp-clients.ts')).MCP_CLIENTS.map(({ id, name }) => ({ text: id, about: name })),
    commands: async (topic, text) =>
      isForShell(topic, text) ? wordsOfShell(client, topic, text) : asked((daemon) => commandsIn(daemon, topic, text)),
  }
}

function isOf(which: 'open' | 'ended' | undefined): (turn: TurnSummary) => boolean {
  return ({ state, ended_at }) =>
    which === undefined || (which === 'open' ? ended_at === null : ended_at !== null && state !== 'done')
}

/** As lists show it; whoever began to write all of it gets all of it. */
function named(id: string, current: string): string {
  const short = shortId(id)
  return short.startsWith(current) ? short : id
}

async function conversations({ agents, turns }: StringClient, agent: string | null): Promise<Offer[]> {
  if (agent !== null) return (await agents.sessions(agent)).map(({ session }) => ({ text: session, about: agent }))
  const names = new Map((await turns.list({})).map(({ session, agent_id }) => [session, agent_id]))
  return [...names].map(([text, about]) => ({ text, about }))
}

/** Who has no profile cannot answer. */
async function talkingAgents({ agents }: StringClient): Promise<Offer[]> {
  const talking = (await agents.list()).filter(({ home, profile }) => existsSync(profilePlace(home, profile)))
  return talking.map(({ id, home }) => ({ text: id, about: home }))
}

async function openTopics({ sessions, agent }: StringClient): Promise<Offer[]> {
  const open = await sessions.list(agent)
  const named = open.filter(({ topic_type }) => topic_type !== 'hub')
  return named.map(({ topic, doc }) => ({ text: topic, about: doc?.title ?? 'topic' }))
}

/** Asking makes the agent, as its first command would; one that was mistyped is not made. */
async function commandsIn(client: StringClient, topic: string, text: string): Promise<Offer[]> {
  const parsed = parseTopic(topic)
  if (parsed === null) return []
  const isKnown = client.agent === DEFAULT_AGENT || (await client.agents.list()).some(({ id }) => id === client.agent)
  if (!isKnown) return []
  // A topic that is not there yet has no shell, and is not made by looking for one.
  const isOpen = (await client.sessions.list(client.agent)).some((session) => session.topic === parsed.canonical)
  const cwd = (isOpen ? await shellFolder(client, parsed, text) : null) ?? process.cwd()
  return offersIn(await client.complete(topic, text, { cwd }), text)
}

/** A line that bash gets, and no command of ours. */
function isForShell(topic: string, text: string): boolean {
  return parseTopic(topic)?.type === 'bash' && !text.startsWith(COMMAND_MARKS.bash)
}

/** As at the prompt of the topic; where its shell is only the daemon knows. */
async function wordsOfShell(client: StringClient | null, topic: string, text: string): Promise<Offer[]> {
  const parsed = parseTopic(topic)
  const open = (await client?.sessions.list(client.agent).catch(() => [])) ?? []
  const isOpen = open.some((session) => session.topic === parsed?.canonical)
  const cwd = client !== null && isOpen ? await shellFolder(client, parsed, SHELL_INFO).catch(() => null) : null
  const { shellCompleter } = await import('../terminal-tools.ts')
  return offersIn(await shellCompleter().complete(text, cwd ?? process.cwd()), text)
}

const SHELL_INFO = `${COMMAND_MARKS.bash}info`

/** An item takes the place of a part of the last word; what would need quotes is left out. */
function offersIn({ items, from }: CompletionView, text: string): Offer[] {
  const begin = text.lastIndexOf(' ') + 1
  return items.flatMap(({ text: item, about }) =>
    from < begin || /[\s'"\\$`&|;<>()*?!{}[\]]/.test(item)
      ? []
      : [{ text: `${text.slice(begin, from)}${item}`, about: about ?? '' }],
  )
}
