import { StringClient } from '@string-os/client'
import { count, invalidTopic, parseTopic, quoted, type Topic } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { checkAgent } from '../agent/known-agent.ts'
import type { Invocation } from '../arguments.ts'
import { addressOf, runningDaemon } from '../daemon/find-daemon.ts'
import { EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { inOwnName } from '../program-name.ts'

/**
 * `string stop TOPIC [--all]` ends the command that runs there, and with `--all` those that wait; the session stays. Without
 * a topic it ends the daemon.
 */
export async function runStopVerb(invocation: Invocation, config: Config): Promise<number> {
  const { values, words } = parseFlags(invocation.words.slice(1), { all: { type: 'boolean' } })
  const [written, extra] = words
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)} (string stop TOPIC [--all])`)
  if (written === undefined && values.all) throw usageError('Stop all of which topic? string stop TOPIC --all')
  if (written === undefined) return (await import('../daemon/verb.ts')).runDaemonVerb(invocation, config)
  const topic = parseTopic(written)
  if (topic === null) throw usageError(invalidTopic(written).system)
  const cancelled = await cancel(topic.canonical, values.all, config)
  const isJson = invocation.format === 'json'
  console.log(isJson ? JSON.stringify({ topic: topic.canonical, cancelled: cancelled ?? 0 }) : said(topic, cancelled))
  return EXIT.ok
}

function said({ canonical }: Topic, cancelled: number | null): string {
  if (cancelled === null) return `Nothing runs in ${canonical}: the daemon does not run`
  const what = cancelled === 0 ? 'Nothing runs in' : `Stopped ${count(cancelled, 'command')} in`
  return inOwnName(`${what} ${canonical}; the daemon goes on (string stop ends it)`)
}

/** Null where no daemon runs. */
async function cancel(topic: string, all: boolean, config: Config): Promise<number | null> {
  const record = runningDaemon(config)
  if (record === null) return null
  const client = new StringClient({ ...addressOf(record), agent: config.agent })
  const cancelled = await client.sessions.cancel(topic, { all })
  // Nothing was found for a name that may be mistyped.
  if (cancelled === 0) await checkAgent(client, config.agent)
  return cancelled
}
