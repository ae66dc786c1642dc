import { randomUUID } from 'node:crypto'
import type { ExecResult } from '@string-os/client'
import { COMMAND_MARKS, invalidTopic, parseTopic } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { type Invocation, joinCommand } from '../arguments.ts'
import { connect } from '../daemon/connect.ts'
import { type CliError, EXIT, usageError } from '../exit.ts'
import { readStdin } from '../stdin.ts'
import { workingDir } from '../working-dir.ts'
import { type Format, formatResult } from './output.ts'
import { watchWaiting } from './waiting.ts'

/** `string TOPIC COMMAND`, `string COMMAND`, `string TOPIC -` */
export async function runCommand(invocation: Invocation, config: Config): Promise<number> {
  const { topic, words } = split(invocation.words)
  const parsed = parseTopic(topic)
  if (parsed === null) throw noTopic(topic)
  if (words.length === 0)
    throw usageError(`What should run in ${topic}? string ${topic} ${COMMAND_MARKS[parsed.type]}help`)
  const command = words.length === 1 && words[0] === '-' ? await readStdin() : joinCommand(words)
  if (command === '') throw usageError('The command is empty')
  const cwd = workingDir(invocation.cwd)
  const client = await connect(config)
  const requestId = randomUUID()
  const notice = watchWaiting(client, parsed.canonical, requestId)
  const result = await client.exec(topic, command, { cwd, requestId, cancelOnLeave: true }).finally(notice.stop)
  process.stdout.write(`${formatResult(explainedResult(result), topic, formatOf(invocation), config.color)}\n`)
  return result.ok ? EXIT.ok : EXIT.commandError
}

/** An answer that broke off says by itself what that means. */
export function explainedResult(result: ExecResult): ExecResult {
  if (result.code !== 'STREAM_INCOMPLETE') return result
  const note = 'ERROR(STREAM_INCOMPLETE): The daemon went away before the answer was complete; the command may have run'
  return { ...result, content: result.content === '' ? note : `${note}\n---\n${result.content}` }
}

function noTopic(written: string): CliError {
  const { system, hints } = invalidTopic(written)
  return usageError(`${system} (a topic is ${hints.join(' ')})`)
}

function split(words: readonly string[]): { topic: string; words: readonly string[] } {
  const [first = ''] = words
  if (first.startsWith('/') || first === '-') return { topic: 'main', words }
  return { topic: first, words: words.slice(1) }
}

function formatOf({ format }: Invocation): Format {
  if (format === 'plain' && process.stdout.isTTY) return 'plain-terminal'
  return format ?? (process.stdout.isTTY ? 'terminal' : 'envelope')
}
