import type { ParameterExpansionPart, ParameterOperation, Word, WordPart } from 'unbash'
import { giveName } from '../know/names.ts'
import { REFUSED } from '../know/refusal.ts'
import { type Text, unknown } from '../know/text.ts'
import { textPart } from '../script-part.ts'
import { nameRead } from '../variables.ts'
import { holdsValue, isNumberName, writeVariable } from './variable.ts'
import type { Walk } from './walk.ts'

/** How the text behind an operator is read: as a pattern, or as text, within quotes or not. */
type Reading = 'pattern' | 'quoted' | 'bare'

interface Operand {
  readonly text: string
  readonly holds: boolean
}

/** `${name…}` in all its forms. */
export function writeParameter(part: ParameterExpansionPart, isQuoted: boolean, walk: Walk): Text {
  const { parameter, prefix, index, operation, pos } = part
  if (prefix === '!') walk.refuse(REFUSED.indirect, pos)
  if (prefix === undefined && index === undefined && operation === undefined)
    return writeVariable(parameter, isQuoted, pos, walk)
  writeVariable(parameter, isQuoted, pos, walk)
  const place = index === undefined ? '' : `[${writeIndex(index, walk)}]`
  if (prefix === '#') return unknown([textPart(`"\${#${parameter}${place}}"`)], false, true, true)
  const operand = operation === undefined ? { text: '', holds: false } : writeOperation(part, operation, isQuoted, walk)
  const written = `\${${parameter}${place}${operand.text}}`
  const isOne = isQuoted && parameter !== '@' && place !== '[@]'
  const holds = holdsValue(parameter, walk) || operand.holds
  return unknown([textPart(isQuoted ? `"${written}"` : written)], holds, isOne)
}

/** An index is arithmetic, whatever the array. */
export function writeIndex(index: Word, walk: Walk): string {
  if (/^(?:\d+|@|\*)$/.test(index.text) || isNumberVariable(index.text, walk)) return index.text
  walk.refuse(REFUSED.index, index.pos)
  return '0'
}

/** `i`, `$i` or `${i}` of a variable that is only ever given numbers. */
function isNumberVariable(text: string, walk: Walk): boolean {
  const [, bare, simple, braced] = /^(?:([A-Za-z_]\w*)|\$([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*)\})$/.exec(text) ?? []
  const name = bare ?? simple ?? braced
  return name !== undefined && isNumberName(name, walk)
}

function writeOperation(
  { parameter, pos }: ParameterExpansionPart,
  operation: ParameterOperation,
  isQuoted: boolean,
  walk: Walk,
): Operand {
  switch (operation.type) {
    case 'Default': {
      const { text, holds } = writeOperand(operation.operand, isQuoted ? 'quoted' : 'bare', walk)
      if (operation.operator.endsWith('=')) {
        if (holds) walk.refuse(REFUSED.expansion, pos)
        giveName(parameter, { holds, isNumber: false }, pos, walk)
      }
      return { text: `${operation.operator}${text}`, holds }
    }
    case 'Remove': {
      const { text, holds } = writeOperand(operation.operand, 'pattern', walk)
      return { text: `${operation.operator}${text}`, holds }
    }
    case 'Replace': {
      const pattern = writeOperand(operation.pattern, 'pattern', walk)
      const replacement = writeOperand(operation.replacement, isQuoted ? 'quoted' : 'bare', walk)
      // Since bash 5.2 these stand for what was found.
      if (/[&\\]/.test(operation.replacement.text)) walk.refuse(REFUSED.quotedExpansion, pos)
      const holds = pattern.holds || replacement.holds
      return { text: `${operation.operator}${pattern.text}/${replacement.text}`, holds }
    }
    case 'Slice': {
      const { offset, length } = operation
      const bounds = [offset, ...(length === undefined ? [] : [length])].map((bound) => writeBound(bound, walk))
      return { text: `: ${bounds.join(':')}`, holds: false }
    }
    case 'CaseModification':
      if (operation.operand !== undefined) walk.refuse(REFUSED.quotedExpansion, pos)
      return { text: operation.operator, holds: false }
    case 'Transform':
      if (!/^[QUuL]$/.test(operation.operand.text)) walk.refuse(REFUSED.transform, pos)
      return { text: `@${operation.operand.text}`, holds: false }
    default:
      walk.refuse(REFUSED.indirect, pos)
      return { text: '', holds: false }
  }
}

function writeBound(bound: Word, walk: Walk): string {
  const isNumber = /^\s*-?\d+$/.test(bound.text) || isNumberVariable(bound.text.trim(), walk)
  if (!isNumber) walk.refuse(REFUSED.arithmetic, bound.pos)
  return isNumber ? bound.text.trim() : '0'
}

/** Inside `${ … }` quotes have rules of their own: what stands in them is written without any. */
function writeOperand(word: Word, reading: Reading, walk: Walk): Operand {
  const { parts, value, text, pos } = word
  if (walk.marked.isIn(text)) walk.refuse(REFUSED.expansion, pos)
  if (/[`\n]/.test(text)) walk.refuse(REFUSED.quotedExpansion, pos)
  return writePieces(parts ?? [{ type: 'Literal', value, text, pos, end: pos }], reading, false, walk)
}

function writePieces(pieces: readonly WordPart[], reading: Reading, inQuotes: boolean, walk: Walk): Operand {
  let text = ''
  let holds = false
  for (const piece of pieces) {
    const name = nameRead(piece)
    const isPlainName = name !== null && (piece.type === 'SimpleExpansion' || piece.text === `\${${name}}`)
    if (piece.type === 'Literal') text += escaped(piece.value, reading, inQuotes)
    else if (piece.type === 'SingleQuoted') text += escaped(piece.value, reading, true)
    else if (piece.type === 'Glob' && piece.kind !== 'bracket') text += piece.text
    else if (piece.type === 'DoubleQuoted') {
      const inner = writePieces(piece.parts, reading, true, walk)
      text += inner.text
      holds ||= inner.holds
    } else if (isPlainName && name !== 'ARGS') {
      holds ||= writeVariable(name, true, piece.pos, walk).holds
      text += inQuotes && reading !== 'quoted' ? `"\${${name}}"` : `\${${name}}`
    } else walk.refuse(REFUSED.quotedExpansion, piece.pos)
  }
  return { text, holds }
}

function escaped(value: string, reading: Reading, inQuotes: boolean): string {
  if (reading === 'quoted') return value.replace(/["$`\\}]/g, '\\$&')
  return value.replace(inQuotes || reading === 'pattern' ? /[^\w.,:@%+=-]/g : /[^\w.,:@%+= -]/g, '\\$&')
}
