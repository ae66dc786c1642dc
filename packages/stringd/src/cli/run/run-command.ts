import { randomUUID } from 'node:crypto'
import type { ExecResult } from '@string-os/client'
import { COMMAND_MARKS, invalidTopic, parseTopic, type Topic } from '@string-os/protocol'
import { type Config, knowsLinks } from '../../config.ts'
import { connectAs } from '../agent/connect-as.ts'
import { type Invocation, joinCommand, notAFlag } from '../arguments.ts'
import { type CliError, EXIT, usageError } from '../exit.ts'
import { readStdin } from '../stdin.ts'
import { workingDir } from '../working-dir.ts'
import { explainedResult } from './explained-result.ts'
import { type Format, formatResult } from './output.ts'
import { watchWaiting } from './waiting.ts'

/** `string TOPIC COMMAND`, `string COMMAND`, `string TOPIC -`; `string TOPIC` and `string` where somebody types. */
export async function runCommand(invocation: Invocation, config: Config, isInteractive = false): Promise<number> {
  const { topic, words } = split(invocation)
  notAFlag(words[0] ?? '')
  const parsed = parseTopic(topic)
  if (parsed === null) throw noTopic(topic)
  if (words.length === 0 && isInteractive) return prompt(parsed, invocation, config)
  if (words.length === 0)
    throw usageError(`What should run in ${topic}? string ${topic} ${COMMAND_MARKS[parsed.type]}help`)
  const command = words.length === 1 && words[0] === '-' ? await readStdin() : joinCommand(words)
  if (command === '') throw usageError('The command is empty')
  const cwd = workingDir(invocation.cwd)
  const client = await connectAs(invocation, config)
  const requestId = randomUUID()
  const notice = watchWaiting(client, parsed.canonical, requestId)
  const result = await client.exec(topic, command, { cwd, requestId, cancelOnLeave: true }).finally(notice.stop)
  process.stdout.write(`${await shown(explainedResult(result), topic, invocation, config)}\n`)
  return result.ok ? EXIT.ok : EXIT.commandError
}

async function prompt(topic: Topic, invocation: Invocation, config: Config): Promise<number> {
  const cwd = workingDir(invocation.cwd)
  await connectAs(invocation, config)
  return (await import('../terminal-tools.ts')).runTopic(topic, cwd, config)
}

/** A page is laid out for a person; what does that is read only then. */
async function shown(result: ExecResult, topic: string, invocation: Invocation, { color }: Config): Promise<string> {
  const format = formatOf(invocation)
  if (format !== 'terminal' || result.format !== 'markdown') return formatResult(result, topic, format, color)
  const { shownResult } = await import('../terminal-tools.ts')
  return shownResult(result, { color, links: knowsLinks(), width: process.stdout.columns || 80 })
}

function noTopic(written: string): CliError {
  const { system, hints } = invalidTopic(written)
  return usageError(`${system} (a topic is ${hints.join(' ')})`)
}

function split({ topic, words }: Invocation): { topic: string; words: readonly string[] } {
  if (topic !== null) return { topic, words }
  const [first] = words
  if (first === undefined || first.startsWith('/') || first === '-') return { topic: 'main', words }
  return { topic: first, words: words.slice(1) }
}

function formatOf({ format }: Invocation): Format {
  if (format === 'plain' && process.stdout.isTTY) return 'plain-terminal'
  return format ?? (process.stdout.isTTY ? 'terminal' : 'envelope')
}
