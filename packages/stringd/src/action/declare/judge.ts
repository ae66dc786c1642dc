import { LIMITS } from '@string-os/protocol'
import type { ActionSource, Document, RefusedLine, Warning } from '../../document/document.ts'
import { byLine } from '../../document/parse/parse.ts'
import { readResponse } from '../run/response-template.ts'
import { readAction } from './compile.ts'
import type { Misread } from './field.ts'

/** Tells the reader of a document at once which of its blocks will be refused when they are called, and how to write them. */
export function withRefusals(document: Document): Document {
  let room: number = LIMITS.judgedChars
  const actions = document.actions.map((source) => {
    room -= source.content.length
    return room < 0 ? source : judged(source)
  })
  const warnings = actions.flatMap(warningsOf)
  return warnings.length === 0
    ? document
    : { ...document, actions, warnings: byLine([...document.warnings, ...warnings]) }
}

function judged(source: ActionSource): ActionSource {
  const read = source.part === 'action' ? readAction(source) : readResponse(source)
  if (read.ok) return source
  const { others = [], ...first } = read
  return { ...source, refused: { ...refusalOf(first), others: others.map(refusalOf) } }
}

function refusalOf({ line, problem, instead }: Misread): RefusedLine {
  return { ok: false, problem, line, instead }
}

function warningsOf({ id, part, refused }: ActionSource): Warning[] {
  const what = part === 'action' ? `Action ${id}` : `The response of action ${id}`
  if (refused === undefined) return []
  return [refused, ...refused.others].map(({ line, problem, instead }) => {
    return { line, message: `${what} is refused: ${problem}`, next: instead }
  })
}
