import { ERROR_CODES, nearest } from '@string-os/protocol'
import { CAUSES, EXIT_N, type Help, TURN_ERRORS } from './error-causes.ts'
import { CLIENT_ERRORS, EXIT_STATUSES, HTTP_ERRORS, RPC_ERRORS, START_ERRORS } from './error-families.ts'

/** What one part of docs/errors.md says of a name. */
interface Meaning {
  /** Every way to write what it is about, in capitals. */
  readonly names: readonly string[]
  readonly tells: string
  readonly help: Help
}

/** `string help NOT_FOUND`: all that docs/errors.md says of a code, status or reason; null: it has none of that name. */
export function errorHelp(word: string): string | null {
  const name = word.toUpperCase()
  const meant = [name, name.replace(/^EXIT_(\d+|<N>)$/, 'EXIT_N')]
  const all = meanings()
  const exact = all.filter(({ names }) => names.some((one) => meant.includes(one)))
  const found = exact.length > 0 || !/^HTTP_\d{3}$/.test(name) ? exact : all.filter(isOf('HTTP_<STATUS>'))
  if (found.length === 0) return null
  const heading = /[a-z].*[A-Z-]|[A-Z].*[a-z]/.test(word) ? word : name
  const parts = found.map(({ tells, help }) => `${tells}\n  cause: ${help.cause}\n  next: ${help.next}`)
  return `${withoutMarkup([heading, ...parts].join('\n\n'))}\n`
}

/** The code that may be meant by one that there is not. */
export function nearestCode(word: string): string | null {
  const codes = meanings().flatMap(({ names }) => names.filter((name) => /^[A-Z_]+$/.test(name)))
  return /^[A-Z_]+$/.test(word) ? nearest(word, codes) : null
}

function isOf(name: string): (meaning: Meaning) => boolean {
  return ({ names }) => names.includes(name)
}

/** In the order of docs/errors.md. */
function meanings(): readonly Meaning[] {
  const tells: ReadonlyMap<string, string> = new Map(Object.entries(ERROR_CODES))
  return [
    ...meaningsOf(CAUSES, (code) => `${tells.get(code) ?? ''}.`),
    { names: ['EXIT_N'], tells: `${EXIT_N.tells}.`, help: EXIT_N },
    ...meaningsOf(
      TURN_ERRORS,
      () => 'A turn of an agent failed.',
      (code) => [code.replace('<n>', 'N')],
    ),
    ...meaningsOf(
      CLIENT_ERRORS,
      (name) => `The client library threw ${name.split(' ')[0]}.`,
      (name) => name.split(' '),
    ),
    ...meaningsOf(
      HTTP_ERRORS,
      (status) => `HTTP was answered with status ${status}.`,
      (status) => [status, `HTTP_${status}`],
    ),
    ...meaningsOf(RPC_ERRORS, (code) => `MCP was answered with the error ${code}.`),
    ...meaningsOf(EXIT_STATUSES, (status) => `string ended with status ${status}.`),
    ...meaningsOf(START_ERRORS, () => 'The daemon did not start.'),
  ]
}

function meaningsOf(
  rows: Readonly<Record<string, Help>>,
  tells: (key: string) => string,
  names: (key: string) => readonly string[] = (key) => [key],
): Meaning[] {
  return Object.entries(rows).map(([key, help]) => ({
    names: names(key).map((name) => name.toUpperCase()),
    tells: tells(key),
    help,
  }))
}

/** Links of the page lead from its folder. */
function withoutMarkup(text: string): string {
  return text
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, (_, shown: string, to: string) => {
      const path = to.startsWith('../') ? to.slice(3) : `docs/${to}`
      return path.endsWith(shown) ? path : `${shown} (${path})`
    })
    .replaceAll('`', '')
}
