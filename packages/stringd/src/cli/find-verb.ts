import { eachWord, type FlagGrammar, type FlagTable, nearest, quoted } from '@string-os/protocol'
import { shellWord } from '../doctor/shell-word.ts'
import { usageError } from './exit.ts'
import { isSlip } from './slip.ts'
import type { FlagText, SubverbRow, VerbRow } from './verb-row.ts'
import { calledOtherwise } from './verb-synonyms.ts'

/** A verb that was typed, and the subverb behind it. */
export interface Called {
  readonly row: VerbRow
  readonly sub: SubverbRow | null
}

/** A verb wins over a topic of the same name, unless a command follows. */
export function findVerb(verbs: readonly VerbRow[], words: readonly string[]): Called | null {
  const [first, second = ''] = words
  const row = second.startsWith('/') ? undefined : verbs.find(({ name }) => name === first)
  if (row === undefined) return null
  return {
    row,
    sub: row.subverbs?.find(({ name, aliases = [] }) => name === second || aliases.includes(second)) ?? null,
  }
}

/** A word behind a verb that has subverbs is one of them, or it is refused. */
export function checkSubverb(
  { row, sub }: Called,
  [written, ...rest]: readonly (string | undefined)[],
  verbs: readonly VerbRow[],
): void {
  if (row.subverbs === undefined || sub !== null || written === undefined || written.startsWith('-')) return
  const names = row.subverbs.map(({ name }) => name)
  const close = nearest(written, names)
  // A name that it takes may be close to one of them.
  if (row.takesOther === true && (close === null || row.takes !== undefined)) return
  const [first] = row.subverbs
  const ofAgent = row.actsAlone === true ? first : row.subverbs.find(({ name }) => name === 'status')
  const alone = ofAgent?.takes === 'agent' ? `; of an agent: string ${row.name} ${ofAgent.name} ID` : ''
  const never = NEVER.get(written)
  if (never !== undefined) throw usageError(`There is no 'string ${row.name} ${written}'. ${never}`)
  const meant = meantBehind(row, written, rest, verbs) ?? (close === null ? null : `string ${row.name} ${close}`)
  const help = meant === null ? `It is one of: ${names.join(', ')}${alone}` : `Did you mean '${meant}'?`
  throw usageError(`There is no 'string ${row.name} ${quoted(written)}'. ${help}`)
}

/** What is added here is made elsewhere. */
const MAKES: readonly string[] = ['create', 'new', 'make', 'register', 'init']

const KEEPS_NAME =
  'A name is kept: add it under the new one, then remove the old one, with which its turns, events and webhook go'

/** What is done elsewhere, and not here: what is near to it does something else. */
const NEVER: ReadonlyMap<string, string> = new Map([
  ['rename', KEEPS_NAME],
  ['mv', KEEPS_NAME],
])

/** A word that means a subverb elsewhere means it here, too; a verb is meant where there is none of that name; null for any other. */
function meantBehind(
  { name, subverbs = [] }: VerbRow,
  written: string,
  rest: readonly (string | undefined)[],
  verbs: readonly VerbRow[],
): string | null {
  const called =
    MAKES.includes(written) && subverbs.some((sub) => sub.name === 'add')
      ? 'add'
      : (calledOtherwise(written) ?? written)
  const [verb = '', last = verb] = called.split(' ')
  const isSub = subverbs.some((sub) => sub.name === last)
  const behind = rest.flatMap((word) => (word === undefined ? [] : [shellWord(word)]))
  const hasSub = (named: string): boolean => subverbs.some((sub) => sub.name === named)
  // What can be stopped and started is restarted in these two steps; the verb of that name is for the daemon.
  if (written === 'restart' && hasSub('stop') && hasSub('start'))
    return ['stop', 'start']
      .map((step) => ['string', name, step, ...(behind.length === 0 ? ['ID'] : behind)].join(' '))
      .join(', then ')
  const isVerb = verbs.some((row) => row.name === verb && row.hidden !== true)
  if (!isSub && !isVerb) return null
  return ['string', ...(isSub ? [name, last] : [called]), ...behind].join(' ')
}

const GRAMMAR: FlagGrammar = { pattern: /^(?:--(.[^=]*)(?:=(.*))?|-([^-])(.+)?)$/s, hasEnd: true }

/** Whether a verb that reads its flags on its own is asked for help: what is the value of another flag is no question. */
export function asksForHelp({ row, sub }: Called, words: readonly string[]): boolean {
  const table = flagTable([...(row.flags ?? []), ...(sub?.flags ?? []), { name: 'help', short: 'h', summary: '' }])
  return [...eachWord(table, GRAMMAR, words.slice(1))].some(({ name }) => name === 'help')
}

/** Flags as they are read. */
export function flagTable(flags: readonly FlagText[]): FlagTable {
  return Object.fromEntries(
    flags.map(({ name, short = null, value }) => [name, { type: value === undefined ? 'boolean' : 'string', short }]),
  )
}

/** The verb that was probably meant by a word that is none. */
export function nearestVerb(word: string, verbs: readonly VerbRow[]): string | null {
  return verbs.find(({ name }) => isSlip(word, name))?.name ?? null
}
