import { StringClient } from '@string-os/client'
import { count, DEFAULT_TOPIC, didYouMean, isAgentId, parseTopic, quoted, type Topic } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { checkAgent, knownActivity } from '../agent/known-agent.ts'
import type { Invocation } from '../arguments.ts'
import { addressOf, runningDaemon } from '../daemon/find-daemon.ts'
import { type CliError, EXIT, noSuchThing, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { inOwnName } from '../program-name.ts'
import { noTopic } from './no-topic.ts'

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
  if (topic === null) throw noTopic(written)
  const stopped = await cancel(topic.canonical, values.all, config)
  if (stopped !== null && stopped.cancelled === 0 && !isThere(topic, stopped)) throw notOpen(topic, stopped)
  const isJson = invocation.format === 'json'
  const data = { topic: topic.canonical, cancelled: stopped?.cancelled ?? 0 }
  console.log(isJson ? JSON.stringify(data) : said(topic, stopped))
  return EXIT.ok
}

interface Stopped {
  readonly cancelled: number
  /** The topics that are open where nothing ran. */
  readonly open: readonly string[]
  /** An agent has the name that was given. */
  readonly isAgent: boolean
}

function said({ canonical }: Topic, stopped: Stopped | null): string {
  if (stopped === null) return `Nothing runs in ${canonical}: the daemon does not run`
  const { cancelled } = stopped
  const goesOn = inOwnName('the daemon goes on (string stop ends it)')
  return cancelled > 0
    ? `Stopped ${count(cancelled, 'command')} in ${canonical}; ${goesOn}`
    : `Nothing runs in ${canonical}; ${goesOn}`
}

/** The topic of those who name none is there before it is used. */
function isThere({ canonical }: Topic, { open }: Stopped): boolean {
  return canonical === DEFAULT_TOPIC.canonical || open.includes(canonical)
}

/** Whoever names an agent wants its turns to end, which is another verb. */
function notOpen({ canonical }: Topic, { open, isAgent }: Stopped): CliError {
  const meant = didYouMean(canonical, open)
  const said = `There is no topic ${canonical} that is open${meant === '' ? '' : `. ${meant}`}`
  const next = isAgent
    ? `string agent stop ${canonical} ends what that agent does`
    : 'string main /topics lists those that are'
  return noSuchThing(inOwnName(`${said}; ${next}`))
}

/** Null where no daemon runs. */
async function cancel(topic: string, all: boolean, config: Config): Promise<Stopped | null> {
  const record = runningDaemon(config)
  if (record === null) return null
  const client = new StringClient({ ...addressOf(record), agent: config.agent })
  const cancelled = await client.sessions.cancel(topic, { all })
  if (cancelled > 0) return { cancelled, open: [], isAgent: false }
  // Nothing was found for names that may be mistyped.
  await checkAgent(client, config.agent)
  const open = (await client.sessions.list(config.agent)).map((session) => session.topic)
  const isAgent = isAgentId(topic) && (await knownActivity(client, topic)).length > 0
  return { cancelled, open, isAgent }
}
