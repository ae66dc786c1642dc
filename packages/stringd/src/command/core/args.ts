import {
  type Failure,
  type FlagGrammar,
  type FlagProblem,
  fail,
  LIMITS,
  lineWords,
  nearest,
  quoted,
  readFlags,
  splitWords,
} from '@string-os/protocol'
import { type CommandFacts, type CommandLine, usage } from './command.ts'
import { substitute } from './substitute.ts'

export type Values = Record<string, string | number | boolean | readonly string[] | undefined>

/** Takes a command apart: `/name rest`, and the body from the next line on. Null when it does not start with a slash. */
export function parseCommandLine(text: string): CommandLine | null {
  const end = text.indexOf('\n')
  const line = end === -1 ? text : text.slice(0, end).replace(/\r$/, '')
  const [, name, rest = ''] = /^\/(\S*)\s*(.*)$/s.exec(line) ?? []
  if (name === undefined) return null
  return { name, rest, body: end === -1 ? '' : text.slice(end + 1) }
}

/** Words by POSIX quoting, then flags and parameters as the command declares them. */
export function parseArgs(
  command: CommandFacts,
  { rest, body }: CommandLine,
  variables: ReadonlyMap<string, string>,
): { ok: true; values: Values } | Failure {
  if (command.raw === true) return checkBody(command, { rest, body }, {}) ?? { ok: true, values: { rest, body } }
  const line = lineWords(rest, {
    tooLong: 'Put what is long into the body, or into a file',
    unclosed: () => [...severalLines(body), `Usage: ${usage(command)}`],
  })
  if (!line.ok) return line
  const replaced = withVariables(line.typed, variables)
  if (!replaced.ok) return replaced
  const read = readFlags(command.flags, COMMAND_GRAMMAR, line.words, replaced.words)
  const parsed = read.ok
    ? assign(command, read.values, read.words)
    : wrong(command, problemText(read), ...nearFlags(command, read))
  if (!parsed.ok) return parsed
  parsed.values.body = body
  parsed.values.rest = rest
  return checkBody(command, { rest, body }, parsed.values) ?? parsed
}

interface ReplacedWords {
  readonly ok: true
  readonly words: readonly string[]
}

/** Values take the place of `{name}` in whole words, so that none of them can become a flag or a second argument. */
function withVariables(words: readonly string[], variables: ReadonlyMap<string, string>): ReplacedWords | Failure {
  const result: string[] = []
  let room: number = LIMITS.commandLineChars
  for (const word of words) {
    const filled = /[{\0]/.test(word) ? substitute(word, variables, room) : { ok: true as const, text: word }
    if (!filled.ok) return filled
    room -= filled.text.length
    result.push(filled.text)
  }
  return { ok: true, words: result }
}

/** How flags are typed in a topic. */
export const COMMAND_GRAMMAR: FlagGrammar = {
  pattern: /^(?:--([^=]*)(?:=(.*))?|-([A-Za-z][^=]*)(?:=(.*))?)$/s,
  hasEnd: true,
}

function problemText({ reason, spelled, name, value }: FlagProblem): string {
  if (reason === 'unknown') return `Unknown flag ${spelled}`
  if (reason === 'no-number') return `--${name} needs a whole number, not ${value}`
  return `--${name} ${reason === 'valued' ? 'takes no value' : 'needs a value'}`
}

/** The flag that was probably meant by one that is none: nearly its name, or the beginning of it. */
function nearFlags({ flags }: CommandFacts, { reason, spelled }: FlagProblem): readonly string[] {
  if (reason !== 'unknown') return []
  const name = spelled.replace(/^-+/, '')
  const names = Object.keys(flags)
  const close = nearest(name, names) ?? names.find((each) => name.length > 1 && each.startsWith(name)) ?? null
  return close === null ? [] : [`Did you mean --${close}?`]
}

/** Puts the parameters beside the flags. */
function assign(
  command: CommandFacts,
  values: Values,
  positional: readonly string[],
): { ok: true; values: Values } | Failure {
  const names = Object.entries(command.params)
  for (const [index, [name, need]] of names.entries()) {
    const value = positional[index]
    if (value === undefined && need !== 'optional') {
      return fail('USAGE', `/${command.name} needs ${name.toUpperCase()}`, `Usage: ${usage(command)}`)
    }
    if (need === 'many') {
      values[name] = positional.slice(index)
      return { ok: true, values }
    }
    values[name] = value
  }
  const extra = positional[names.length]
  return extra === undefined ? { ok: true, values } : wrong(command, tooMany(command, quoted(extra)))
}

/** Words that are too many are most often one that has blanks, where there is one at all. */
function tooMany({ name, params, body }: CommandFacts, extra: string): string {
  const names = Object.keys(params)
  if (names.length === 0) return `/${name} takes no argument: ${extra}`
  const what = names.some((param) => PATHS.has(param)) ? 'a path' : 'a value'
  const where = body === 'none' ? '' : '; a body goes on the next lines'
  return `Too many arguments: ${extra} (quote ${what} with blanks${where})`
}

const PATHS: ReadonlySet<string> = new Set(['path', 'target', 'source'])

/** A quote that is open at the end of the first line was meant to go on, and so was what follows a call. */
function severalLines(body: string): string[] {
  if (body.trim() === '') return []
  return [
    'A value of several lines is set first:',
    '/set',
    '```{text}',
    'its lines',
    '```',
    'Then {text} stands for it',
  ]
}

function checkBody(command: CommandFacts, { rest, body }: Omit<CommandLine, 'name'>, values: Values): Failure | null {
  const instead = Object.entries(command.flags).filter(([, { bodyless }]) => bodyless === true)
  const given = instead.find(([name]) => values[name] === true)
  if (given !== undefined)
    return body === '' ? null : fail('USAGE', `--${given[0]} takes no body`, `Usage: ${usage(command)}`)
  if (command.body === 'none' && body.trim() !== '') {
    const hints = command.raw === true ? severalLines(body) : []
    if (splitWords(rest) === null)
      return fail('INVALID_PARAMS', 'A quote or backslash is not closed', ...hints, `Usage: ${usage(command)}`)
    return fail(
      'USAGE',
      `/${command.name} takes no body: send one command at a time`,
      ...hints,
      `Usage: ${usage(command)}`,
    )
  }
  if (command.body === 'required' && body === '') {
    const hints = instead.map(([name, { summary }]) => `--${name}, without a body: ${summary}`)
    return fail('USAGE', `/${command.name} needs a body on the next lines`, ...hints, `Usage: ${usage(command)}`)
  }
  return null
}

function wrong(command: CommandFacts, message: string, ...hints: readonly string[]): Failure {
  return fail('INVALID_PARAMS', message, ...hints, `Usage: ${usage(command)}`)
}
