import {
  type FlagGrammar,
  type FlagProblem,
  type FlagTable,
  nearest,
  quoted,
  type ReadFlags,
  readFlags,
} from '@string-os/protocol'
import { unknownFlag } from './arguments.ts'
import { usageError } from './exit.ts'

/** A flag that takes a value takes the next word whatever it looks like, so `-m -x` is a message; `-mx` is one too. */
const GRAMMAR: FlagGrammar = { pattern: /^(?:--(.[^=]*)(?:=(.*))?|-([^-])(.+)?)$/s, hasEnd: true, isOnce: true }

/** Written the same behind every verb that goes on until Ctrl-C. */
export const FOLLOW = { type: 'boolean', short: 'f' } as const

/** The flags of a verb, and its other words. */
export function parseFlags<const Table extends FlagTable>(args: readonly string[], table: Table): ReadFlags<Table> {
  const read = readFlags(table, GRAMMAR, args)
  if (read.ok) return read
  throw usageError(problemText(read, table))
}

function problemText({ reason, spelled, name, value }: FlagProblem, table: FlagTable): string {
  if (reason === 'unknown') return unknownFlag(spelled, Object.keys(table))
  if (reason === 'valueless') return `${spelled} needs a value`
  if (reason === 'no-number') return fromOneOn(spelled, value)
  if (reason === 'twice') return `${spelled} is given twice, and takes one value`
  return `--${name} takes no value`
}

/** The value of a flag that takes one of a few words. */
export function oneOf<Word extends string>(flag: string, written: string, known: readonly Word[]): Word {
  const word = known.find((each) => each === written)
  if (word !== undefined) return word
  const close = nearest(written, known)
  const meant = close === null ? '' : `; did you mean ${close}?`
  throw usageError(`--${flag} is one of ${known.join(', ')}, not: ${quoted(written)}${meant}`)
}

/** The value of a flag that says how many. */
export function atLeastOne(flag: string, number: number): number {
  if (number > 0) return number
  throw usageError(fromOneOn(`--${flag}`, String(number)))
}

function fromOneOn(spelled: string, written: string): string {
  return `${spelled} needs a whole number from 1 on, not: ${quoted(written)}`
}
