import type { Fault } from '../declare/field.ts'
import { type FieldPart, fieldAt } from '../declare/template.ts'

/** A piece of a script: text, or the mark of a field. */
export interface Piece {
  readonly text: string
  readonly field: FieldPart | null
}

/** A template in which every field is a word of letters and digits, so that it is a script and nothing but one. */
export interface Marked {
  readonly text: string
  /** Takes a part of the script apart again. */
  readonly split: (part: string) => Piece[]
  readonly isIn: (part: string) => boolean
  /** What is no pipe. */
  readonly wrong: readonly Fault[]
}

/** Puts marks in the place of fields. `${name}` is a variable, and `\{name}` is text. */
export function markFields(source: string, names: ReadonlySet<string>): Marked {
  let stem = 'Xvalue'
  while (source.includes(stem)) stem += 'x'
  const fields: FieldPart[] = []
  const wrong: Fault[] = []
  let text = ''
  let from = 0
  for (const { index } of source.matchAll(/\{/g)) {
    const found = index < from || isTaken(source, index) ? null : fieldAt(source, index, names)
    if (found === null) continue
    wrong.push(...found.wrong.map((each) => ({ ...each, row: rowOf(source, index) })))
    text += source.slice(from, index)
    // The name of a variable right before it must not go on in the mark.
    text += /\$\w+$/.test(text.slice(-200)) ? `.${stem}${fields.length}S` : `${stem}${fields.length}E`
    fields.push(found.part)
    from = found.end
  }
  text += source.slice(from)
  const marks = new RegExp(`\\.${stem}(\\d+)S|${stem}(\\d+)E`, 'g')
  return { text, wrong, isIn: (part) => part.includes(stem), split: (part) => splitMarks(part, marks, fields) }
}

/** Which line a place of a text is in, counted from 0. */
export function rowOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length - 1
}

/** Whether a brace belongs to a `$` or to a backslash before it. */
function isTaken(source: string, at: number): boolean {
  const [before = ''] = /\\*\$?$/.exec(source.slice(Math.max(0, at - 100), at)) ?? []
  const slashes = before.replace('$', '').length
  return before.endsWith('$') ? slashes % 2 === 0 : slashes % 2 === 1
}

function splitMarks(part: string, marks: RegExp, fields: readonly FieldPart[]): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: text, 1: separated, 2: plain, index } of part.matchAll(marks)) {
    if (index > from) pieces.push({ text: part.slice(from, index), field: null })
    pieces.push({ text, field: fields[Number(separated ?? plain)] ?? null })
    from = index + text.length
  }
  if (from < part.length) pieces.push({ text: part.slice(from), field: null })
  return pieces
}
