import { usageError } from './exit.ts'

/** What the command line asked for, before anything is done about it. */
export interface Invocation {
  readonly words: readonly string[]
  readonly agent: string | null
  readonly cwd: string | null
  readonly port: string | null
  readonly daemon: string | null
  readonly format: 'json' | 'plain' | null
  /** Serve MCP on standard input and output. */
  readonly mcp: boolean
  readonly help: boolean
  readonly version: boolean
}

const VALUE_FLAGS = ['--agent', '--cwd', '--port', '--daemon'] as const
/** Behind how many words a flag without a value is still ours. */
const SWITCHES: ReadonlyMap<string, number> = new Map([
  ['--json', Number.POSITIVE_INFINITY],
  ['--plain', Number.POSITIVE_INFINITY],
  ['-h', Number.POSITIVE_INFINITY],
  ['--help', 1],
  ['--version', 0],
  ['--mcp', 0],
])
/** Verbs that read every flag behind them on their own: a message may look like any flag. */
const OWN_FLAGS: ReadonlySet<string> = new Set(['bridge', 'chat'])
type ValueFlag = (typeof VALUE_FLAGS)[number]

/**
 * Flags of `string` itself may stand anywhere. Behind a command, every other flag is the command's own, so that
 * `string main /ls --all` works without quotes.
 */
export function parseInvocation(args: readonly string[]): Invocation {
  const words: string[] = []
  const values = new Map<ValueFlag, string>()
  const switches = new Set<string>()
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? ''
    if (words.length === 1 && OWN_FLAGS.has(words[0] ?? '') && !arg.startsWith('/')) {
      words.push(...args.slice(index))
      break
    }
    const [name, inline] = splitFlag(arg)
    if (isValueFlag(name)) {
      if (inline === undefined) index += 1
      const value = inline ?? args[index]
      if (value === undefined) throw usageError(`${name} needs a value`)
      if (name === '--daemon' && (value === '--help' || value === '-h')) switches.add('--help')
      else values.set(name, value)
    } else if (words.length <= (SWITCHES.get(name) ?? -1)) switches.add(name === '-h' ? '--help' : name)
    else if (words.length > 0 || !/^-./.test(arg)) words.push(arg)
    else throw usageError(`Unknown flag: ${arg}`)
  }
  return {
    words,
    agent: values.get('--agent') ?? null,
    cwd: values.get('--cwd') ?? null,
    port: values.get('--port') ?? null,
    daemon: values.get('--daemon') ?? null,
    format: switches.has('--json') ? 'json' : switches.has('--plain') ? 'plain' : null,
    mcp: switches.has('--mcp'),
    help: switches.has('--help'),
    version: switches.has('--version'),
  }
}

/** One command from several words: those that the command's own quoting would split or change are quoted. */
export function joinCommand(words: readonly string[]): string {
  if (words.length <= 1) return words[0] ?? ''
  return words.map(quoteWord).join(' ')
}

/** The first word is the command's name, perhaps with arguments that are quoted already. */
function quoteWord(word: string, index: number): string {
  const isPlain = (index === 0 && word.startsWith('/')) || /^[\w@%+=:,./#~{}-]+$/.test(word)
  return isPlain ? word : `'${word.replaceAll("'", `'"'"'`)}'`
}

function splitFlag(arg: string): [string, string?] {
  const equals = arg.startsWith('--') ? arg.indexOf('=') : -1
  return equals === -1 ? [arg] : [arg.slice(0, equals), arg.slice(equals + 1)]
}

function isValueFlag(name: string): name is ValueFlag {
  return (VALUE_FLAGS as readonly string[]).includes(name)
}
