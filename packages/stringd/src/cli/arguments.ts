import {
  COMMAND_MARKS,
  DEFAULT_TOPIC,
  eachWord,
  type FlagGrammar,
  type FlagProblem,
  type FlagTable,
  nearest,
  parseTopic,
  quoted,
  type TypedWord,
} from '@string-os/protocol'
import { usageError } from './exit.ts'

/** What the command line asked for, before anything is done about it. */
export interface Invocation {
  readonly words: readonly string[]
  /** There was a `--`: what stands behind it is no flag, whatever it looks like. */
  readonly hasEnd: boolean
  /** What `--topic` names: then no word is taken for a verb. */
  readonly topic: string | null
  readonly agent: string | null
  readonly cwd: string | null
  readonly port: string | null
  /** How many seconds what is typed into a bash topic is waited for. */
  readonly wait: string | null
  readonly daemon: string | null
  readonly format: 'json' | 'plain' | null
  /** Make the agent when there is none of that name. */
  readonly create: boolean
  /** Serve MCP on standard input and output. */
  readonly mcp: boolean
  /** Long answers at the prompt are not shown screen by screen. */
  readonly noPager: boolean
  readonly help: boolean
  readonly version: boolean
}

const FLAGS: FlagTable = {
  topic: { type: 'string' },
  create: { type: 'boolean' },
  agent: { type: 'string' },
  cwd: { type: 'string' },
  port: { type: 'string' },
  wait: { type: 'string' },
  daemon: { type: 'string' },
  json: { type: 'boolean' },
  plain: { type: 'boolean' },
  'no-pager': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'vV' },
  mcp: { type: 'boolean' },
}

/** A command and a verb behind these flags have flags and a `--` of their own, so that it is told below whose one is. */
const GRAMMAR: FlagGrammar = { pattern: /^(?:--([^=]*)(?:=(.*))?|-(.+))$/s, hasEnd: false }

/** Behind how many words a flag is still ours, where no verb is among them; of those that are not here, behind any number. */
const REACH: ReadonlyMap<string, number> = new Map([
  ['topic', 0],
  ['create', 1],
  ['no-pager', 1],
  ['wait', 1],
  ['help', 1],
  ['version', 0],
  ['mcp', 0],
])

/** Whether a flag of `string` may stand behind so many words, among which there is no verb. */
export function mayFollow(name: string, words: number): boolean {
  return words <= (REACH.get(name) ?? words)
}

export const WAIT_USAGE = "string bash:NAME --wait SECONDS 'LINE'"

/** What is to be known of a verb to tell its flags from those of `string`. */
interface VerbWord {
  readonly name: string
  readonly ownFlags?: true
}

const PLAIN = /^[\w@%+=:,./#~{}-]+$/

/** Of words among which there is no verb, where the command begins. */
export function commandAt(words: readonly string[], topic: string | null): number {
  return topic !== null || /^(?:\/|-$)/.test(words[0] ?? '') ? 0 : 1
}

/**
 * Whether all that follows belongs to the command: it is a line for a shell that was typed without quotes, and programs
 * have flags that are called like ours.
 */
export function takesAll(words: readonly string[], topic: string | null): boolean {
  const begin = commandAt(words, topic)
  const [first = '-', second] = words.slice(begin)
  if (first === '-' || (second === undefined && !PLAIN.test(first))) return false
  if (/^\/\/?exec(?=\s|$)/.test(first)) return true
  const named = topic ?? (begin === 0 ? DEFAULT_TOPIC.canonical : words[0])
  return parseTopic(named)?.type === 'bash' && !first.startsWith(COMMAND_MARKS.bash)
}

/**
 * Flags of `string` itself stand before a command or behind all of it, and with a verb anywhere. Behind a command, every
 * other flag is the command's own, so that `string main /ls --all` works without quotes.
 */
export function parseInvocation(args: readonly string[], verbs: readonly VerbWord[]): Invocation {
  const words: string[] = []
  const values = new Map<string, string>()
  const switches = new Set<string>()
  const topic = (): string | null => values.get('topic') ?? null
  const verb = (): VerbWord | undefined =>
    topic() !== null || words[1]?.startsWith('/') === true ? undefined : verbs.find((row) => row.name === words[0])
  const isInCommand = (): boolean => verb() === undefined && words.length > commandAt(words, topic())
  /** One of ours behind a part of the command, where its end must be. */
  let behind: string | null = null
  const push = (...more: readonly string[]): void => {
    if (behind !== null && more.length > 0) throw usageError(inTheMiddle(behind, words))
    words.push(...more)
  }
  let hasEnd = false
  for (const read of eachWord(FLAGS, GRAMMAR, args)) {
    const { name, value, spelled, at } = read
    const arg = args[at] ?? ''
    const takesRest = words.length === 1 && verb()?.ownFlags === true && !arg.startsWith('/')
    hasEnd = !takesRest && arg === '--'
    if (takesRest || hasEnd || (verb() === undefined && takesAll(words, topic()))) {
      // A verb and a command have an end of flags, too, which is the same one.
      const isOursAlone = hasEnd && verb() === undefined && !isInCommand()
      push(...args.slice(isOursAlone ? at + 1 : at))
      break
    }
    const isOfVerb = (name === 'help' || name === 'create') && verb() !== undefined
    // No shell has such a flag behind a line in quotes; an action may.
    const isOfShell = name === 'wait' && parseTopic(topic() ?? words[0] ?? '')?.type === 'bash'
    const reach = isOfVerb || isOfShell ? null : (REACH.get(name ?? '') ?? null)
    const isOurs = name !== null && (reach === null || words.length <= reach)
    if (isOurs && isInCommand()) behind = spelled
    if (!isOurs) push(handedOn(arg, words), ...nextWord(read, arg))
    else if (!read.ok && read.reason === 'valueless') throw usageError(`${spelled} needs a value`)
    else if (!read.ok || value === true) switches.add(name)
    else if (name === 'daemon' && (value === '--help' || value === '-h')) switches.add('help')
    else values.set(name, value)
  }
  if (values.has('wait') && verb() !== undefined) throw usageError(`--wait is for bash topics: ${WAIT_USAGE}`)
  return { words, hasEnd, ...flagsOf(values, switches) }
}

function flagsOf(
  values: ReadonlyMap<string, string>,
  switches: ReadonlySet<string>,
): Omit<Invocation, 'words' | 'hasEnd'> {
  return {
    topic: values.get('topic') ?? null,
    agent: values.get('agent') ?? null,
    cwd: values.get('cwd') ?? null,
    port: values.get('port') ?? null,
    wait: values.get('wait') ?? null,
    daemon: values.get('daemon') ?? null,
    format: switches.has('json') ? 'json' : switches.has('plain') ? 'plain' : null,
    create: switches.has('create'),
    mcp: switches.has('mcp'),
    noPager: switches.has('no-pager'),
    help: switches.has('help'),
    version: switches.has('version'),
  }
}

function inTheMiddle(flag: string, words: readonly string[]): string {
  const command = words.find((word) => word.startsWith('/')) ?? words.at(-1) ?? ''
  return `${flag} stands in the middle of ${quoted(command)}: a flag of string goes before the topic or to the very end; one of the command's own needs -- before the command, or the command in quotes`
}

/** A flag that is not ours is handed on with the word that would have been its value. */
function nextWord(read: TypedWord | FlagProblem, arg: string): string[] {
  return read.ok && read.name !== null && read.value !== true && !arg.includes('=') ? [read.value] : []
}

/** Before a command, there is nobody else whose flag it could be. */
function handedOn(arg: string, before: readonly string[]): string {
  if (before.length > 0) return arg
  return notAFlag(arg)
}

/** A word that stands where a topic or a command begins, and so can only be a flag of ours. */
export function notAFlag(word: string): string {
  if (!/^-./.test(word)) return word
  throw usageError(unknownFlag(word, []))
}

/** What other programs call it. */
const ELSEWHERE: ReadonlyMap<string, readonly string[]> = new Map([
  ['limit', ['tail', 'lines', 'n', 'max', 'count', 'last', 'num']],
  ['follow', ['watch', 'w', 'f', 'live']],
  ['failed', ['errors', 'error', 'failures', 'failing']],
  ['since', ['from', 'after', 'start']],
  ['yes', ['force', 'y', 'f', 'assume-yes']],
  ['all', ['a', 'everything']],
  ['message', ['msg', 'text', 'prompt', 'p']],
  ['profile', ['config', 'c']],
  ['dry-run', ['check', 'n', 'plan']],
  ['json', ['format', 'output', 'o']],
  ['cwd', ['dir', 'directory', 'C', 'workdir']],
])

/** One that stands where it is not taken, and what may be meant. Of short names nearly all are close to each other; who slips still knows how the name begins. */
export function unknownFlag(spelled: string, names: readonly string[]): string {
  const unknown = `Unknown flag ${quoted(spelled)}`
  const written = spelled.replace(/^-+/, '').replace(/=.*/s, '')
  const known = [...names, ...Object.keys(FLAGS)]
  const close = nearest(
    written,
    known.filter((name) => name[0] === written[0]),
  )
  if (close === written) return `--${close} cannot be used here`
  if (close !== null) return `${unknown}; did you mean --${close}?`
  const here = known.find((name) => ELSEWHERE.get(name)?.includes(written))
  return here === undefined ? unknown : `${unknown}; here it is --${here}`
}

/** One command from several words: those that the command's own quoting would split or change are quoted. */
export function joinCommand(words: readonly string[]): string {
  if (words.length <= 1) return words[0] ?? ''
  if (isScript(words)) return words.join(' ')
  const isCommand = words[0]?.startsWith('/') === true
  return words.map((word, index) => quoteWord(word, index, isCommand)).join(' ')
}

/** One word behind `/exec` came in quotes, so it is the script, as it is for ssh; several are a program and its arguments. */
function isScript([name = '', ...more]: readonly string[]): boolean {
  return /^\/\/?exec$/.test(name) && more.length === 1
}

/**
 * The first word is the command's name, perhaps with arguments that are quoted already. What a shell has left of `$` is text,
 * and so is a reference behind a backslash.
 */
function quoteWord(word: string, index: number, isCommand: boolean): string {
  const isPlain = (index === 0 && word.startsWith('/')) || PLAIN.test(word)
  if (isPlain) return word
  const quoted = `'${word.replaceAll("'", `'"'"'`)}'`
  if (!isCommand) return quoted
  const asText = quoted.replace(REFERENCE, (_, brace = '', dollar = '') => `'\\${brace}${dollar}'`)
  // A command ends with its line, and what follows is its body: a break in a value is spelled.
  return asText.replace(/[\r\n]+/g, (breaks) => `'$'${breaks.replaceAll('\r', '\\r').replaceAll('\n', '\\n')}''`)
}

/** What a command would look up: `\{name}` behind a backslash, `$NAME`. */
const REFERENCE = /\\(\{)(?=[a-z][a-z0-9_]*\})|(\$)(?=[A-Za-z{])/g
