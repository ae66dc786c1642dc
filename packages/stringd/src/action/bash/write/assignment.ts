import type { ArrayValue, Assignment } from 'unbash'
import { giveName } from '../know/names.ts'
import { REFUSED } from '../know/refusal.ts'
import { join, known, type Text, unknown } from '../know/text.ts'
import { textPart } from '../script-part.ts'
import { writeIndex } from './expansion.ts'
import type { Walk } from './walk.ts'
import { writeListed, writeWord } from './word.ts'

/** `name=value`, also as an argument of `export` and the like. */
export function writeAssignment({ name, value, append, index, pos }: Assignment, walk: Walk): Text {
  const written = value.type === 'Word' ? writeWord(value, walk) : writeList(value, walk)
  const isWhole = append !== true && index === undefined
  giveName(name, { ...written, guess: isWhole ? written.guess : '*' }, pos, walk)
  const place = index === undefined ? '' : `[${writeIndex(index, walk)}]`
  if (value.type === 'ArrayValue' || index !== undefined) walk.facts.add('array', name)
  const operator = append === true ? '+=' : '='
  const head = walk.marked.isIn(name) ? '' : `${name}${place}${operator}`
  return {
    ...join([known(head, head), { ...written, isOne: written.isOne || walk.isBash || !written.holds }]),
    value: null,
    path: null,
    isNumber: written.isNumber,
  }
}

function writeList({ elements }: ArrayValue, walk: Walk): Text {
  const texts = elements.map((element) => {
    if (element.text.startsWith('[')) walk.refuse(REFUSED.element, element.pos)
    return writeListed(element, walk)
  })
  const inner = texts.flatMap(({ parts }) => [textPart(' '), ...parts])
  const holds = texts.some((text) => text.holds)
  return unknown(
    [textPart('('), ...inner, textPart(' )')],
    holds,
    true,
    texts.every(({ isNumber }) => isNumber),
  )
}
