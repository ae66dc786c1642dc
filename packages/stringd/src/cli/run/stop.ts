import { count, invalidTopic, parseTopic } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { connect } from '../daemon/connect.ts'
import { EXIT, usageError } from '../exit.ts'

const USAGE = 'Usage: string stop TOPIC [--all] (string --daemon stop ends the daemon)'

/** `string stop TOPIC [--all]`: ends the command that runs there, and with `--all` those that wait; the session stays. */
export async function runStopVerb({ words, format }: Invocation, config: Config): Promise<number> {
  const [written, extra, ...more] = words.slice(1).filter((word) => word !== '--all')
  if (written === undefined || written.startsWith('-')) throw usageError(USAGE)
  if (extra !== undefined) throw usageError(`Too many arguments: ${[extra, ...more].join(' ')}\n${USAGE}`)
  const topic = parseTopic(written)
  if (topic === null) throw usageError(invalidTopic(written).system)
  const client = await connect(config)
  const cancelled = await client.sessions.cancel(topic.canonical, { all: words.includes('--all') })
  const said = cancelled === 0 ? `Nothing runs in ${topic.canonical}` : `Stopped ${count(cancelled, 'command')}`
  console.log(format === 'json' ? JSON.stringify({ topic: topic.canonical, cancelled }) : said)
  return EXIT.ok
}
