import type { EventsData, EventView, ExecResult, StringClient } from '@string-os/client'
import {
  type EventWait,
  type InboxItem,
  LIMITS,
  listNames,
  type Meant,
  meantBy,
  quoted,
  shortId,
  visibleLine,
  visibleText,
} from '@string-os/protocol'
import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { connectPatiently, patientClient, untilInterrupted } from '../daemon/connect.ts'
import { CliError, EXIT, noSuchThing, usageError } from '../exit.ts'
import { FOLLOW, parseFlags } from '../flags.ts'
import { tellSetAside } from '../none-found.ts'
import { inOwnName } from '../program-name.ts'
import { formatResult, verbFormat } from '../run/output.ts'
import { runCommand } from '../run/run-command.ts'
import { lookOf } from '../terminal/look.ts'
import { clockTime, wholeTime } from '../turns/time.ts'
import { eventData } from './agent-data.ts'
import { connectToRead } from './connect-as.ts'
import { eventTable } from './event-table.ts'
import { namedAgent } from './named-agent.ts'

/** What is done with one event, and the command that does it. */
const COMMANDS: ReadonlyMap<string, string> = new Map([
  ['read', '/events.read'],
  ['show', '/events.read'],
  ['ack', '/events.ack'],
  ['retry', '/events.retry'],
])

const OPTIONS = { all: { type: 'boolean' }, follow: FOLLOW } as const

/** `string events [AGENT] [--all]` is the inbox, `read ID`, `ack ID…` and `retry ID` are about events by their ids; with `--follow` events are shown as they come, until Ctrl-C. */
export async function runEventsVerb(invocation: Invocation, given: Config): Promise<number> {
  const { values, words } = parseFlags(invocation.words.slice(1), OPTIONS)
  if (values.all && values.follow) throw usageError('Either --all or --follow')
  const [done = '', ...ids] = words
  const command = COMMANDS.get(done)
  if (command !== undefined) {
    if (ids.length === 0)
      throw usageError(`Which event? Give its ID: string events ${done} ID; string events lists them`)
    if (ids.length > 1 && command !== '/events.ack') throw usageError(`string events ${done} takes one ID`)
    return about(invocation, { ...given, agent: invocation.agent ?? given.agent }, command, ids)
  }
  if (words.length === 2)
    throw usageError(`There is no 'string events ${quoted(done ?? '')}'. It is one of: read, ack, retry`)
  const config = { ...given, agent: namedAgent(words, invocation.agent) ?? given.agent }
  if (values.follow) return follow(invocation, config)
  const list = values.all ? '/events --all' : '/events'
  if (invocation.format !== null && invocation.format !== 'json')
    return runCommand({ ...invocation, words: ['event', list] }, config)
  const client = await connectToRead(invocation, config)
  const answer = await client.exec('event', list)
  const { ok, data, content } = answer
  const { agent } = config
  if (data?.events.length === 0 && data.acked === 0) tellSetAside(config, 'state.db')
  const waits = await waitsOf(client, agent)
  if (invocation.format === 'json' && data !== null) console.log(JSON.stringify(listedEvents(data, agent, waits)))
  else if (invocation.format === 'json') console.log(formatResult(answer, 'event', 'json'))
  else console.log(ok && data !== null ? eventTable(data, { agent, waits }, lookOf(process.stdout, config)) : content)
  return ok ? EXIT.ok : EXIT.commandError
}

type Waits = ReadonlyMap<string, EventWait>

/** For programs what the table tells people. */
function listedEvents({ events }: EventsData, agent: string, waits: Waits): readonly object[] {
  return events.map(({ id, ...rest }) => ({ id, agent_id: agent, ...rest, waits: waits.get(id) ?? null }))
}

/** Why those wait that do, by their ids. */
async function waitsOf(client: StringClient, agent: string): Promise<Waits> {
  const pending = await client.inbox.list({ agent, state: 'pending' })
  // A daemon that is older than this program does not tell.
  return new Map(pending.flatMap(({ id, waits }) => (waits ? [[id, waits] as const] : [])))
}

/** Of events that are named as the list shows them, or by more of their ids: those of one agent at a time. */
async function about(
  invocation: Invocation,
  config: Config,
  command: string,
  written: readonly string[],
): Promise<number> {
  const client = await connectToRead(invocation, config)
  const found: Named[] = []
  for (const each of written) found.push(await eventNamed(client, config.agent, each))
  const agents = [...new Set(found.map(({ agent }) => agent))]
  const [agent = config.agent] = agents
  if (agents.length > 1)
    throw usageError(`These events are of several agents: ${listNames(agents)}; name those of one at a time`)
  const line = [command, ...found.map(({ name }) => name)].join(' ')
  const asked = { ...invocation, words: ['event', line], format: verbFormat(invocation.format) }
  return runCommand(
    asked,
    { ...config, agent },
    {
      isInteractive: false,
      verbs: [],
      reworded: (answer) => inShellWords(invocation.format === null ? withOwnTime(answer) : answer, agent),
    },
  )
}

interface Named {
  readonly agent: string
  /** As it is written in a command. */
  readonly name: string
}

async function eventNamed(client: StringClient, agent: string, written: string): Promise<Named> {
  const { data } = await client.exec('event', '/events --all')
  const event = theOne(
    meantBy(written, data?.events ?? [], ({ id }) => id),
    written,
    ({ id }) => id,
  )
  if (event !== null) return { agent, name: event.id }
  // What is in no list any more is known to the daemon by its whole id.
  const name = quotedWord(written)
  const { code } = await client.exec('event', `/events.read ${name}`)
  if (code !== 'NOT_FOUND') return { agent, name }
  const others = await ofOthers(client, written)
  return { agent: others.agent_id, name: others.id }
}

/** An id is that of one event, whosever that is: nobody has to know it who read the id somewhere. */
async function ofOthers(client: StringClient, written: string): Promise<InboxItem> {
  const others = await client.inbox.list({ limit: LIMITS.listedMax })
  const event = theOne(
    meantBy(written, others, ({ id }) => id),
    written,
    ({ id, agent_id }) => `${id} (${agent_id})`,
  )
  if (event !== null) return event
  throw noSuchThing(
    `There is no event ${quoted(written)}; string events --all lists them, string agent list tells what waits for others`,
  )
}

/** Null where none is meant; refused where it cannot be said which. */
function theOne<T>(meant: Meant<T>, written: string, nameOf: (event: T) => string): T | null {
  if (meant.kind === 'none') return null
  if (meant.kind === 'one') return meant.found
  if (meant.kind === 'too-short') throw usageError(inOwnName(`${meant.reason}; string events --all shows it`))
  const names = listNames(meant.found.map(nameOf))
  throw new CliError(EXIT.commandError, `${quoted(written)} may be more than one event: ${names}; write more of the ID`)
}

/** What comes next can be typed where the verb was. */
function inShellWords(answer: ExecResult, agent: string): ExecResult {
  if (answer.ok) return answer
  return { ...answer, content: answer.content.replace('/events lists', inOwnName(`string events ${agent} lists`)) }
}

/** Agents are told the time as programs write it; a person by the clock of this machine. */
function withOwnTime(answer: ExecResult): ExecResult {
  const time = answer.data?.received_at
  return typeof time === 'string' ? { ...answer, content: answer.content.replace(time, wholeTime(time)) } : answer
}

function quotedWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** A daemon that does not run is waited for, and not started. */
async function follow(invocation: Invocation, given: Config): Promise<number> {
  const config = { ...given, mayStart: false }
  const signal = untilInterrupted()
  if ((await connectPatiently(config, signal)) === null) return EXIT.ok
  const { port } = await connectToRead(invocation, config)
  const json = invocation.format === 'json'
  for await (const event of agentEvents(config, port, signal)) {
    process.stdout.write(`${json ? JSON.stringify(eventData(event)) : eventText(event)}\n`)
  }
  return EXIT.ok
}

/** The agent's events from now on, across restarts of the daemon. */
export function agentEvents(config: Config, port: number, signal: AbortSignal): AsyncGenerator<EventView> {
  return patientClient(config, port).events({ signal, waits: true })
}

function eventText({ id, receivedAt, source, text }: EventView): string {
  return `${shortId(id)}  ${clockTime(receivedAt, Date.now())}  ${visibleLine(source)}\n${visibleText(text).replace(/\n$/, '')}\n`
}
