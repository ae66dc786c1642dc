import type { EventsData, EventView, ExecResult, StringClient } from '@string-os/client'
import {
  type EventWait,
  type InboxItem,
  LIMITS,
  listNames,
  quoted,
  visibleLine,
  visibleText,
} from '@string-os/protocol'
import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { connectPatiently, patientClient, untilInterrupted } from '../daemon/connect.ts'
import { CliError, EXIT, noSuchThing, usageError } from '../exit.ts'
import { FOLLOW, parseFlags } from '../flags.ts'
import { tellSetAside } from '../none-found.ts'
import { verbFormat } from '../run/output.ts'
import { runCommand } from '../run/run-command.ts'
import { lookOf } from '../terminal/look.ts'
import { isMeantBy, shortId } from '../turns/short-id.ts'
import { clockTime, wholeTime } from '../turns/time.ts'
import { eventData } from './agent-data.ts'
import { connectAs } from './connect-as.ts'
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

/** `string events [AGENT] [--all]` is the inbox, `read ID`, `ack ID` and `retry ID` are about one event; with `--follow` events are shown as they come, until Ctrl-C. */
export async function runEventsVerb(invocation: Invocation, given: Config): Promise<number> {
  const { values, words } = parseFlags(invocation.words.slice(1), OPTIONS)
  if (values.all && values.follow) throw usageError('Either --all or --follow')
  const [done, id] = words
  const command = words.length < 3 ? COMMANDS.get(done ?? '') : undefined
  if (command !== undefined && id === undefined)
    throw usageError(`Which event? Give its ID: string events ${done} ID; string events lists them`)
  if (command !== undefined && id !== undefined)
    return one(invocation, { ...given, agent: invocation.agent ?? given.agent }, command, id)
  if (words.length === 2)
    throw usageError(`There is no 'string events ${quoted(done ?? '')}'. It is one of: read, ack, retry`)
  const config = { ...given, agent: namedAgent(words, invocation.agent) ?? given.agent }
  if (values.follow) return follow(invocation, config)
  const list = values.all ? '/events --all' : '/events'
  if (invocation.format !== null) return runCommand({ ...invocation, words: ['event', list] }, config)
  const client = await connectAs(invocation, config)
  const { ok, data, content } = await client.exec('event', list)
  const { agent } = config
  if (data?.events.length === 0 && data.acked === 0) tellSetAside(config, 'state.db')
  const text = async (found: EventsData): Promise<string> =>
    eventTable(found, { agent, waits: await waitsOf(client, agent) }, lookOf(process.stdout, config))
  console.log(ok && data !== null ? await text(data) : content)
  return ok ? EXIT.ok : EXIT.commandError
}

/** Why those wait that do, by their ids. */
async function waitsOf(client: StringClient, agent: string): Promise<ReadonlyMap<string, EventWait>> {
  const pending = await client.inbox.list({ agent, state: 'pending' })
  // A daemon that is older than this program does not tell.
  return new Map(pending.flatMap(({ id, waits }) => (waits ? [[id, waits] as const] : [])))
}

/** Of one event: it is named as the list shows it, or by more of its id. */
async function one(invocation: Invocation, config: Config, command: string, written: string): Promise<number> {
  const client = await connectAs(invocation, config)
  const { data } = await client.exec('event', '/events --all')
  const found = (data?.events ?? []).filter(({ id }) => isMeantBy(id, written))
  const [event, other] = found
  if (other !== undefined) {
    const names = listNames(found.map(({ id }) => id))
    throw new CliError(
      EXIT.commandError,
      `${quoted(written)} may be more than one event: ${names}; write more of the ID`,
    )
  }
  // What is in no list any more is known to the daemon by its whole id.
  const name = event?.id ?? quotedWord(written)
  if (event === undefined) {
    const { code } = await client.exec('event', `/events.read ${name}`)
    if (code === 'NOT_FOUND') {
      const others = await ofOthers(client, written)
      return one(invocation, { ...config, agent: others.agent_id }, command, others.id)
    }
  }
  const asked = { ...invocation, words: ['event', `${command} ${name}`], format: verbFormat(invocation.format) }
  return runCommand(asked, config, {
    isInteractive: false,
    verbs: [],
    ...(invocation.format === null ? { reworded: withOwnTime } : {}),
  })
}

/** An id is that of one event, whosever that is: nobody has to know it who read the id somewhere. */
async function ofOthers(client: StringClient, written: string): Promise<InboxItem> {
  const [event, other] = (await client.inbox.list({ limit: LIMITS.listedMax })).filter(({ id }) =>
    isMeantBy(id, written),
  )
  if (event === undefined)
    throw noSuchThing(
      `There is no event ${quoted(written)}; string events --all lists them, string agent list tells what waits for others`,
    )
  if (other === undefined) return event
  const names = listNames([event, other].map(({ id, agent_id }) => `${id} (${agent_id})`))
  throw new CliError(EXIT.commandError, `${quoted(written)} may be more than one event: ${names}; write more of the ID`)
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
  const { port } = await connectAs(invocation, config)
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
