import type { EventView } from '@string-os/client'
import { visibleLine, visibleText } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { patientClient } from '../daemon/connect.ts'
import { ensureDaemon } from '../daemon/find-daemon.ts'
import { EXIT, usageError } from '../exit.ts'
import { runCommand } from '../run/run-command.ts'

/** `string events [--all]` is the inbox; with `--follow` events are shown as they come, until Ctrl-C. */
export async function runEventsVerb(invocation: Invocation, config: Config): Promise<number> {
  const [, flag, extra] = invocation.words
  if (extra !== undefined || (flag !== undefined && flag !== '--all' && flag !== '--follow')) {
    throw usageError('Usage: string events [--all | --follow]')
  }
  if (flag === '--follow') return follow(config, invocation.format === 'json')
  return runCommand({ ...invocation, words: ['event', flag === undefined ? '/events' : '/events --all'] }, config)
}

async function follow(config: Config, json: boolean): Promise<number> {
  const { port } = await ensureDaemon(config)
  const over = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => over.abort())
  for await (const event of agentEvents(config, port, over.signal)) {
    process.stdout.write(`${json ? JSON.stringify(event) : eventText(event)}\n`)
  }
  return EXIT.ok
}

/** The agent's events from now on, across restarts of the daemon. */
export function agentEvents(config: Config, port: number, signal: AbortSignal): AsyncGenerator<EventView> {
  return patientClient(config, port).events(signal)
}

function eventText({ id, receivedAt, source, text }: EventView): string {
  return `${id} ${receivedAt} ${visibleLine(source)}\n${visibleText(text).replace(/\n$/, '')}\n`
}
