import type { CommandExpansionPart, LiteralPart, ProcessSubstitutionPart, Word, WordPart } from 'unbash'
import { REFUSED, unnamed } from '../know/refusal.ts'
import { join, known, quote, type Text, unknown } from '../know/text.ts'
import { isArgs } from '../places.ts'
import { textPart } from '../script-part.ts'
import { writeArithmetic } from './arithmetic.ts'
import { writeParameter } from './expansion.ts'
import { isNumberCommand } from './number-command.ts'
import { writeVariable } from './variable.ts'
import type { Walk } from './walk.ts'

/** Characters that mean only themselves wherever they stand, and `~`, which is left to mean what it does. */
const PLAIN = /^[A-Za-z0-9_./:=@%+,~-]+$/
const BRACKETS = /^\[[!^]?(?:\[:[a-z]+:\]|[A-Za-z0-9_.,-])+\]$/
const BRACES = /^\{[A-Za-z0-9_./,-]+\}$/

/** Writes a word anew: literal text quoted, values and variables by their names. */
export function writeWord({ parts, value, text, pos, end }: Word, walk: Walk): Text {
  const pieces: readonly WordPart[] = parts ?? [{ type: 'Literal', value, text, pos, end }]
  return joinPieces(pieces.map((piece) => writePart(piece, false, walk)))
}

/** A word among others: only there `$ARGS` becomes as many words as it has, and a pattern the names of files. */
export function writeListed(word: Word, walk: Walk): Text {
  const [only, ...others] = word.parts ?? []
  if (only !== undefined && others.length === 0 && isArgs(only))
    return unknown([{ kind: 'args', place: 'bare', alone: true }], true, false)
  const written = writeWord(word, walk)
  const isNamed = walk.facts.has('script', 'names') && word.parts?.some(({ type }) => type === 'Glob') === true
  return { ...written, holds: written.holds || isNamed }
}

/** A word in quotes, or the text of a here-document. */
export function writeQuoted(parts: readonly WordPart[], walk: Walk): Text {
  return joinPieces(parts.map((part) => writePart(part, true, walk)))
}

function joinPieces(texts: readonly Text[]): Text {
  return texts.length === 0 ? known('') : join(texts)
}

function writePart(part: WordPart, isQuoted: boolean, walk: Walk): Text {
  if (isArgs(part)) return unknown([{ kind: 'args', place: 'bare', alone: false }], true, true)
  switch (part.type) {
    case 'Literal':
      return literal(part, isQuoted, walk)
    case 'SingleQuoted':
      return withFields(part.value, quote, walk)
    case 'AnsiCQuoted':
      if (walk.marked.isIn(part.value) || /\\[0-7xc]/.test(part.text)) walk.refuse(REFUSED.ansi, part.pos)
      return known(part.value)
    case 'DoubleQuoted':
      return writeQuoted(part.parts, walk)
    case 'SimpleExpansion':
      return writeVariable(part.text.slice(1), isQuoted, part.pos, walk)
    case 'ParameterExpansion':
      return writeParameter(part, isQuoted, walk)
    case 'CommandExpansion':
      return substitution(part, isQuoted, walk)
    case 'ArithmeticExpansion': {
      const { expression, pos } = part
      if (expression === undefined || part.text.startsWith('$[')) walk.refuse(REFUSED.arithmetic, pos)
      const sum = expression === undefined ? [] : writeArithmetic(expression, walk)
      return unknown([textPart('"$(( '), ...sum, textPart(' ))"')], false, true, true)
    }
    default:
      return unquoted(part, walk)
  }
}

/** What only stands outside of quotes. */
function unquoted(part: WordPart, walk: Walk): Text {
  switch (part.type) {
    case 'Glob':
      if (part.kind === 'bracket' && (!BRACKETS.test(part.text) || walk.marked.isIn(part.text)))
        walk.refuse(REFUSED.glob, part.pos)
      return unknown([textPart(part.text)], false, false)
    case 'BraceExpansion':
      if (!BRACES.test(part.text) || walk.marked.isIn(part.text)) walk.refuse(REFUSED.braces, part.pos)
      return unknown([textPart(part.text)], false, false, /^\{\d+\.\.\d+\}$/.test(part.text))
    case 'ProcessSubstitution':
      return process(part, walk)
    case 'LocaleString':
      walk.refuse(REFUSED.locale, part.pos)
      return known('')
    case 'ExtendedGlob':
      walk.refuse(REFUSED.glob, part.pos)
      return known('')
    default:
      walk.refuse(unnamed(part.type), part.pos)
      return known('')
  }
}

/** Text without a backslash in it may stay as it is, for the sake of `~`. */
function literal({ value, text }: LiteralPart, isQuoted: boolean, walk: Walk): Text {
  const isPlain = !isQuoted && value === text
  // The folders that a script was and is in may come from a value.
  if (isPlain && /(?:^|[:=])~[-+]/.test(text)) return unknown([textPart(quote(text))], true, true)
  return withFields(value, (piece) => (isPlain && PLAIN.test(piece) ? piece : quote(piece)), walk)
}

function withFields(value: string, write: (piece: string) => string, walk: Walk): Text {
  const pieces = walk.marked.split(value)
  return joinPieces(
    pieces.map(({ text, field }) =>
      field === null ? known(text, write(text)) : unknown([{ kind: 'field', field, place: 'bare' }], true, true),
    ),
  )
}

function substitution({ script, text, pos }: CommandExpansionPart, isQuoted: boolean, walk: Walk): Text {
  if (text.startsWith('${')) walk.refuse(unnamed(`\${ …; }`), pos)
  if (text.startsWith('`') && walk.marked.isIn(text)) walk.refuse(REFUSED.backticks, pos)
  if (script === undefined) return known('')
  const { parts, holds } = walk.commands(script, walk.input, pos)
  const isNumber = isNumberCommand(script, walk)
  const [open, close] = isQuoted || isNumber ? ['"$( ', '\n)"'] : ['$( ', '\n)']
  const found = unknown([textPart(open), ...parts, textPart(close)], holds && !isNumber, isQuoted || isNumber, isNumber)
  // The folder of the document is a place of the script's own.
  const isFolder =
    /^\$\(\s*dirname\s+"?\$\{?CURRENT_FILE\}?"?\s*\)$/.test(text) && !walk.facts.has('function', 'dirname')
  return isFolder ? { ...found, path: '$CURRENT_FOLDER' } : found
}

function process({ script, operator, pos }: ProcessSubstitutionPart, walk: Walk): Text {
  if (operator === '>') walk.refuse(REFUSED.output, pos)
  if (script === undefined) return known('')
  const { parts, holds } = walk.commands(script, walk.input, pos)
  return unknown([textPart('<( '), ...parts, textPart('\n)')], holds, true)
}
