import { type Failure, fail, LIMITS, quoted, splitWords } from '@string-os/protocol'
import { substitute } from '../act/variables.ts'
import { type CommandFacts, type CommandLine, usage } from './command.ts'

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
  if (rest.length > LIMITS.commandLineChars) {
    return fail(
      'INVALID_PARAMS',
      `The command line is longer than ${LIMITS.commandLineChars} characters`,
      'Put what is long into the body, or into a file',
    )
  }
  const words = splitWords(rest)
  if (words === null)
    return fail(
      'INVALID_PARAMS',
      'A quote or backslash is not closed',
      ...severalLines(body),
      `Usage: ${usage(command)}`,
    )
  const replaced = withVariables(words, variables)
  if (!replaced.ok) return replaced
  const parsed = readWords(command, words, replaced.words)
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
    const filled = word.includes('{') ? substitute(word, variables, room) : { ok: true as const, text: word }
    if (!filled.ok) return filled
    room -= filled.text.length
    result.push(filled.text)
  }
  return { ok: true, words: result }
}

/** Only what was typed can be a flag: the value of a variable that begins with a dash is a value. */
function readWords(
  command: CommandFacts,
  typed: readonly string[],
  words: readonly string[],
): { ok: true; values: Values } | Failure {
  const values: Values = defaults(command)
  const positional: string[] = []
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    if (typed[index] === '--') {
      positional.push(...words.slice(index + 1))
      break
    }
    if (!/^(--|-[A-Za-z])/.test(typed[index] ?? '')) {
      positional.push(word)
      continue
    }
    const flag = readFlag(command, word, words[index + 1])
    if (!flag.ok) return flag
    values[flag.name] = flag.value
    if (flag.tookNext) index += 1
  }
  return assign(command, values, positional)
}

function defaults({ flags }: CommandFacts): Values {
  const values: Values = Object.create(null) as Values
  for (const [name, { type }] of Object.entries(flags)) values[name] = type === 'boolean' ? false : undefined
  return values
}

interface ReadFlag {
  readonly ok: true
  readonly name: string
  readonly value: string | number | boolean
  readonly tookNext: boolean
}

function readFlag(command: CommandFacts, word: string, next: string | undefined): ReadFlag | Failure {
  const [, dashes, spelled = '', inline] = /^(--?)([^=]*)(?:=(.*))?$/s.exec(word) ?? []
  const found = Object.entries(command.flags).find(([name, { short }]) => (dashes === '--' ? name : short) === spelled)
  if (found === undefined) return wrong(command, `Unknown flag ${dashes}${spelled}`)
  const [name, { type }] = found
  if (type === 'boolean') {
    return inline === undefined
      ? { ok: true, name, value: true, tookNext: false }
      : wrong(command, `--${name} takes no value`)
  }
  const text = inline ?? next
  if (text === undefined) return wrong(command, `--${name} needs a value`)
  if (type === 'string') return { ok: true, name, value: text, tookNext: inline === undefined }
  if (!/^\d{1,9}$/.test(text)) return wrong(command, `--${name} needs a whole number, not ${text}`)
  return { ok: true, name, value: Number(text), tookNext: inline === undefined }
}

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
function tooMany({ name, params }: CommandFacts, extra: string): string {
  const names = Object.keys(params)
  if (names.length === 0) return `/${name} takes no argument: ${extra}`
  const what = names.some((param) => PATHS.has(param)) ? 'a path' : 'a value'
  return `Too many arguments: ${extra} (quote ${what} with blanks)`
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

function wrong(command: CommandFacts, message: string): Failure {
  return fail('INVALID_PARAMS', message, `Usage: ${usage(command)}`)
}
