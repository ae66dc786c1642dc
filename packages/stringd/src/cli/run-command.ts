import { randomUUID } from 'node:crypto'
import { type ExecResult, HttpError, StringClient, StringClientError, UnreachableError } from '@string-os/client'
import { COMMAND_MARKS, invalidTopic, parseTopic } from '@string-os/protocol'
import type { Config } from '../config.ts'
import { VERSION } from '../version.ts'
import { type Invocation, joinCommand } from './arguments.ts'
import { daemonStarter, ensureDaemon } from './daemon.ts'
import { CliError, EXIT, usageError } from './exit.ts'
import { type Format, formatResult } from './output.ts'
import { readStdin } from './stdin.ts'
import { watchWaiting } from './waiting.ts'
import { workingDir } from './working-dir.ts'

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
  process.stdout.write(`${formatResult(explained(result), topic, formatOf(invocation), config.color)}\n`)
  return result.ok ? EXIT.ok : EXIT.commandError
}

/** An answer that broke off says by itself what that means. */
export function explained(result: ExecResult): ExecResult {
  if (result.code !== 'STREAM_INCOMPLETE') return result
  const note = 'ERROR(STREAM_INCOMPLETE): The daemon went away before the answer was complete; the command may have run'
  return { ...result, content: result.content === '' ? note : `${note}\n---\n${result.content}` }
}

function noTopic(written: string): CliError {
  const { system, hints } = invalidTopic(written)
  return usageError(`${system} (a topic is ${hints.join(' ')})`)
}

/** A client of the daemon that serves our data folder. */
export async function connect(config: Config): Promise<StringClient> {
  const { port, version } = await ensureDaemon(config)
  if (version !== VERSION) {
    process.stderr.write(
      `string: the running daemon is ${version}, this is ${VERSION}; string --daemon restart replaces it\n`,
    )
  }
  return new StringClient({ port, agent: config.agent, autoStart: daemonStarter(() => config) })
}

/** What a failed request means for whoever typed it. */
export function asCliError(error: unknown): unknown {
  if (error instanceof UnreachableError) return new CliError(EXIT.unreachable, error.message)
  if (error instanceof HttpError)
    return new CliError(error.status === 400 ? EXIT.usage : EXIT.commandError, error.message)
  if (error instanceof StringClientError)
    return new CliError(EXIT.commandError, `ERROR(${error.code}): ${error.message}`)
  return error
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
