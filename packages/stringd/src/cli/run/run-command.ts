import { randomUUID } from 'node:crypto'
import type { ExecResult, StringClient } from '@string-os/client'
import {
  COMMAND_MARKS,
  DEFAULT_TOPIC,
  type ErrorCode,
  isHub,
  LIMITS,
  parseTopic,
  quoted,
  type Topic,
  visibleLine,
} from '@string-os/protocol'
import { type Config, knowsLinks } from '../../config.ts'
import { shellWord } from '../../doctor/shell-word.ts'
import { connectAs } from '../agent/connect-as.ts'
import { type Invocation, joinCommand, notAFlag, WAIT_USAGE } from '../arguments.ts'
import { type CliError, EXIT, usageError } from '../exit.ts'
import { inOwnName, ownName } from '../program-name.ts'
import { readStdin } from '../stdin.ts'
import { dim } from '../terminal/color.ts'
import { whyNoPrompt } from '../terminal/prompt-place.ts'
import { prose } from '../terminal/prose.ts'
import type { StreamEnd } from '../topic/stream-shell.ts'
import { SLASHED } from '../verb-synonyms.ts'
import { workingDir } from '../working-dir.ts'
import { explainedText, explanation, givesHome, homeNote, isAtHome } from './explained-text.ts'
import { flagToProgram } from './flag-to-program.ts'
import { homeOf } from './home-of.ts'
import { noTopic } from './no-topic.ts'
import { type Format, formatResult } from './output.ts'
import { shellFolder } from './shell-folder.ts'
import { hasUnreadInput } from './unread-input.ts'
import { watchWaiting } from './waiting.ts'

/** What a topic takes that is no shell. */
const COMMANDS = SLASHED.map((name) => `/${name}`)

interface Situation {
  /** Somebody types. */
  readonly isInteractive: boolean
  /** What a person may type by mistake where commands go. */
  readonly verbs: readonly string[]
  /** The command reads nothing of the folder where the person is, which stays closed to the topic. */
  readonly opensNothing?: boolean
  /** The answer as a verb tells it. */
  readonly reworded?: (answer: ExecResult) => ExecResult
}

/** A word alone was perhaps meant to be a verb, which it is not. */
function nothingToRun({ canonical, type }: Topic, { topic }: Invocation): CliError {
  const help = `string ${canonical} ${COMMAND_MARKS[type]}help`
  const input = process.stdin.isTTY ? '' : `; string ${canonical} - reads it from standard input`
  const why = whyNoPrompt()
  const isWord = topic === null && type === 'tab' && canonical !== DEFAULT_TOPIC.canonical && !canonical.includes(':')
  return usageError(
    isWord
      ? `There is no verb '${canonical}'; as the name of a topic it needs a command, such as: ${help}${input}`
      : `What should run in ${canonical}? ${help}${input}${why === null ? '' : `; ${why}`}`,
  )
}

/** `string TOPIC COMMAND`, `string COMMAND`, `string TOPIC -`; `string TOPIC` and `string` where somebody types. */
export async function runCommand(
  invocation: Invocation,
  config: Config,
  { isInteractive, verbs, opensNothing = false, reworded = (answer) => answer }: Situation = {
    isInteractive: false,
    verbs: [],
  },
): Promise<number> {
  const { topic, words } = split(invocation)
  if (!invocation.hasEnd) notAFlag(words[0] ?? '')
  if (topic === '' && words.length === 0) throw usageError('The name of the topic is empty; without one it is main')
  const parsed = parseTopic(topic)
  if (parsed === null) throw noTopic(topic, words)
  const waiting = waitingOf(invocation, parsed)
  if (words.length === 0 && isInteractive) return prompt(parsed, { invocation, config, verbs })
  if (words.length === 0) throw nothingToRun(parsed, invocation)
  const command = words.length === 1 && words[0] === '-' ? await readStdin() : joinCommand(words)
  // To a program in a shell, blanks are input.
  if (command === '' || (parsed.type !== 'bash' && command.trim() === ''))
    throw usageError(`The command is empty; string ${topic} ${COMMAND_MARKS[parsed.type]}help lists what there is`)
  const here = opensNothing ? undefined : workingDir(invocation.cwd)
  const client = await connectAs(invocation, config)
  if (invocation.topic === null && verbs.includes(topic) && !isHub(topic)) await sayNew(client, topic)
  const cwd = (invocation.cwd === null && !opensNothing ? await shellFolder(client, parsed, command) : null) ?? here
  const isStdin = words.length === 1 && words[0] === '-'
  const isProgram = parsed.type === 'bash' && !command.startsWith(COMMAND_MARKS.bash)
  if (isProgram && !isStdin && hasUnreadInput()) say(unreadNote(parsed))
  const format = formatOf(invocation)
  const ran = { topic, parsed, command, cwd, waiting, config, isStreamed: isProgram && format === 'terminal' }
  const { result, isShown, isInterrupted } = await ranCommand(client, ran)
  const answer = reworded(result)
  const home = format === 'terminal' && (isAtHome(answer) || givesHome(command)) ? await homeOf(client) : null
  const meanings = { verbs, commands: COMMANDS, own: [], home, topic }
  const text =
    format !== 'terminal'
      ? formatResult(answer, topic, format)
      : isShown
        ? await standing(answer, config)
        : await laidOut(explainedText(answer, command, meanings), config)
  process.stdout.write(`${text}\n`)
  const where = config.hints ? homeNote(answer, command, home) : null
  if (where !== null) process.stdout.write(`${dim(`(${where})`, config.color)}\n`)
  const hint = format === 'terminal' ? null : explanation(answer, command, meanings)
  if (hint !== null) say(hint)
  const slipped = invocation.hasEnd || invocation.format !== null ? null : flagToProgram(words, topic, answer)
  if (slipped !== null) say(slipped)
  if (config.hints && result.ok && result.topic !== parsed.canonical) sayElsewhere(result, invocation, format, config)
  sayInput(answer)
  if (isProgram && answer.data?.running === true && answer.data.input_to === undefined) say(goesOnNote(parsed))
  return isInterrupted ? EXIT.interrupted : statusOf(answer)
}

interface RanCommand {
  /** As it was written. */
  readonly topic: string
  readonly parsed: Topic
  readonly command: string
  readonly cwd: string | undefined
  readonly waiting: { readonly waitMs?: number }
  readonly config: Config
  /** What it prints is shown as it comes. */
  readonly isStreamed: boolean
}

async function ranCommand(client: StringClient, ran: RanCommand): Promise<StreamEnd> {
  const { topic, parsed, command, cwd, waiting, config, isStreamed } = ran
  const requestId = randomUUID()
  const notice = watchWaiting(client, parsed.canonical, requestId)
  const options = { ...waiting, ...(cwd === undefined ? {} : { cwd }), requestId }
  if (isStreamed && cwd !== undefined) {
    const { streamShell } = await import('../terminal-tools.ts')
    const streamed = { ...options, topic: parsed, command, cwd, color: config.color, onAnswer: notice.stop }
    return streamShell(client, streamed).finally(notice.stop)
  }
  const result = await client.exec(topic, command, { ...options, cancelOnLeave: true }).finally(notice.stop)
  return { result, isShown: false, isInterrupted: false }
}

/** A command behind the name of a verb makes it that of a topic, which is perhaps not what was meant. */
async function sayNew(client: StringClient, topic: string): Promise<void> {
  const open = await client.sessions.list(client.agent)
  if (open.some((session) => session.topic === topic)) return
  say(`a new topic named ${topic}, not the verb; string help ${topic} tells of the verb`)
}

function unreadNote({ canonical }: Topic): string {
  return `standard input is not passed on to the shell of ${canonical}; a file can be: string ${canonical} 'cat < FILE'`
}

function goesOnNote({ canonical }: Topic): string {
  return `it goes on in ${canonical}: string ${canonical} '//wait 30' shows what it prints from now on, string stop ${canonical} ends it`
}

function say(text: string): void {
  process.stderr.write(`${prose(`${ownName()}: ${inOwnName(text)}`, process.stderr)}\n`)
}

/** It ran in another topic than the one it was typed for, and what is typed next for that one is not. Programs are told by the answer itself. */
function sayElsewhere(
  { topic }: ExecResult,
  { agent }: Invocation,
  format: Format | 'terminal',
  { color }: Config,
): void {
  if (format === 'json' || format === 'envelope') return
  const called = agent === null ? 'string' : `string --agent ${shellWord(agent)}`
  const text = `this is topic ${topic} now: ${called} ${topic} COMMAND goes on there`
  if (format !== 'terminal') say(text)
  else process.stdout.write(`${dim(prose(`(${inOwnName(text)})`, process.stdout), color)}\n`)
}

/** Whoever meant a command is told that a program has taken it for its input. */
function sayInput({ data }: ExecResult): void {
  if (typeof data?.input_to !== 'string') return
  say(`given to ${quoted(visibleLine(data.input_to), 60)} as its input`)
}

/** Of a command that was not written as it is used, and so did nothing. */
const WRONG_USAGE: readonly (string | null)[] = ['USAGE', 'INVALID_PARAMS'] satisfies ErrorCode[]

/** An action that was called without what it needs answers with its help, and nothing was done: that is wrong usage, too. */
function statusOf({ ok, code, data }: ExecResult): number {
  if (!ok) return WRONG_USAGE.includes(code) ? EXIT.usage : EXIT.commandError
  return data?.missing_fields === undefined ? EXIT.ok : EXIT.usage
}

/** How long the program is waited for, where somebody said so; it goes on in any case. */
function waitingOf({ wait }: Invocation, { type, canonical }: Topic): { waitMs?: number } {
  if (wait === null) return {}
  if (type !== 'bash') throw usageError(`--wait is for bash topics, and ${canonical} is none: ${WAIT_USAGE}`)
  const waitMs = Math.round(Number(/^\d+(?:\.\d+)?$/.test(wait) ? wait : Number.NaN) * 1000)
  if (waitMs >= 1 && waitMs <= LIMITS.shellWaitMs) return { waitMs }
  const most = LIMITS.shellWaitMs / 1000
  throw usageError(`--wait needs seconds up to ${most}, not ${quoted(wait)}; //wait SECONDS waits longer`)
}

interface Prompt extends Pick<Situation, 'verbs'> {
  readonly invocation: Invocation
  readonly config: Config
}

async function prompt(topic: Topic, { invocation, config, verbs }: Prompt): Promise<number> {
  const cwd = workingDir(invocation.cwd)
  await connectAs(invocation, config)
  return (await import('../terminal-tools.ts')).runTopic(topic, { cwd, pages: !invocation.noPager, verbs }, config)
}

/** What it printed stands above. */
async function standing(result: ExecResult, { color }: Config): Promise<string> {
  return (await import('../terminal-tools.ts')).standingLine(result, color)
}

/** An answer is laid out for a person; what does that is read only then. */
async function laidOut(result: ExecResult, { color }: Config): Promise<string> {
  const { shownResult } = await import('../terminal-tools.ts')
  return shownResult(result, { color, links: knowsLinks(), width: process.stdout.columns || 80 })
}

function split({ topic, words }: Invocation): { topic: string; words: readonly string[] } {
  if (topic !== null) return { topic, words }
  const [first] = words
  if (first === undefined || first.startsWith('/') || first === '-') return { topic: 'main', words }
  return { topic: first, words: words.slice(1) }
}

function formatOf({ format }: Invocation): Format | 'terminal' {
  if (format === 'plain' && process.stdout.isTTY) return 'plain-terminal'
  return format ?? (process.stdout.isTTY ? 'terminal' : 'envelope')
}
