import {
  type FlagGrammar,
  type FlagProblem,
  type FlagTable,
  quoted,
  type ReadFlags,
  readFlags,
} from '@string-os/protocol'
import { suggestedFlag } from './arguments.ts'
import { usageError } from './exit.ts'

/** A flag that takes a value takes the next word whatever it looks like, so `-m -x` is a message; `-mx` is one too. */
const GRAMMAR: FlagGrammar = { pattern: /^(?:--(.[^=]*)(?:=(.*))?|-([^-])(.+)?)$/s, hasEnd: true }

/** The flags of a verb, and its other words. */
export function parseFlags<const Table extends FlagTable>(args: readonly string[], table: Table): ReadFlags<Table> {
  const read = readFlags(table, GRAMMAR, args)
  if (read.ok) return read
  throw usageError(problemText(read, table))
}

function problemText({ reason, spelled, name, value }: FlagProblem, table: FlagTable): string {
  if (reason === 'unknown')
    return `${quoted(`Unknown option '${spelled}'`)}${suggestedFlag(spelled, Object.keys(table))}`
  if (reason === 'valueless') return `${spelled} needs a value`
  if (reason === 'no-number') return `${spelled} needs a whole number, not: ${quoted(value)}`
  const short = table[name ?? '']?.short
  return `Option '${short === undefined ? '' : `-${short}, `}--${name}' does not take an argument`
}
