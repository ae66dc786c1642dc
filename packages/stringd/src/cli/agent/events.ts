import type { EventView } from '@string-os/client'
import { visibleLine, visibleText } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { connectPatiently, patientClient, untilInterrupted } from '../daemon/connect.ts'
import { EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { runCommand } from '../run/run-command.ts'
import { eventData } from './agent-data.ts'
import { connectAs } from './connect-as.ts'
import { namedAgent } from './named-agent.ts'

const OPTIONS = { all: { type: 'boolean' }, follow: { type: 'boolean' } } as const

/** `string events [AGENT] [--all]` is the inbox; with `--follow` events are shown as they come, until Ctrl-C. */
export async function runEventsVerb(invocation: Invocation, given: Config): Promise<number> {
  const { values, words } = parseFlags(invocation.words.slice(1), OPTIONS)
  if (values.all && values.follow) throw usageError('Usage: string events [AGENT] [--all | --follow]')
  const config = { ...given, agent: namedAgent(words, invocation.agent) ?? given.agent }
  if (values.follow) return follow(invocation, config)
  return runCommand({ ...invocation, words: ['event', values.all ? '/events --all' : '/events'] }, config)
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
  return `${id} ${receivedAt} ${visibleLine(source)}\n${visibleText(text).replace(/\n$/, '')}\n`
}
