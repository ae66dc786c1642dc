import { nearest } from '@string-os/protocol'
import { type Fault, fault } from './field.ts'

export const PIPES = ['base64', 'file', 'base64file'] as const

export type Pipe = (typeof PIPES)[number]

/** `{name}`, `{name[0]}`, `{name|pipe|pipe}` of a declared field. */
export interface FieldPart {
  readonly kind: 'field'
  readonly name: string
  readonly index: number | null
  readonly pipes: readonly Pipe[]
}

/** `$NAME` or `${NAME}`. */
export interface VariablePart {
  readonly kind: 'variable'
  readonly name: string
}

export type TemplatePart = { readonly kind: 'text'; readonly text: string } | FieldPart | VariablePart

const FIELD = /\{([A-Za-z_][A-Za-z0-9_-]*)(?:\[(\d{1,4})\])?((?:\|[A-Za-z0-9]+)*)\}/y
const PART = /\\\$|\$(?:\{([A-Za-z][A-Za-z0-9_]*)\}|([A-Za-z][A-Za-z0-9_]*))|\{/g

/** Reads the place of a field that begins at `at`; null where none of the declared ones does. */
export function fieldAt(
  text: string,
  at: number,
  fields: ReadonlySet<string>,
): { readonly ok: true; readonly part: FieldPart; readonly end: number } | Fault | null {
  FIELD.lastIndex = at
  const match = FIELD.exec(text)
  const [whole = '', name = '', index, piped = ''] = match ?? []
  if (match === null || !fields.has(name)) return null
  const pipes: Pipe[] = []
  for (const word of piped.split('|').slice(1)) {
    const pipe = PIPES.find((known) => known === word)
    if (pipe === undefined) {
      const close = nearest(word, PIPES)
      const instead = close === null ? `Write {${name}}, for the value as it is` : `Did you mean {${name}|${close}}?`
      return fault(`${word} is no pipe; pipes: ${PIPES.join(', ')}`, instead)
    }
    pipes.push(pipe)
  }
  const part = { kind: 'field', name, index: index === undefined ? null : Number(index), pipes } as const
  return { ok: true, part, end: at + whole.length }
}

interface ParsedTemplate {
  readonly ok: true
  readonly parts: readonly TemplatePart[]
}

/** Takes a template apart. `{name}` that is no field is text, and so is `\$`, without its backslash. */
export function parseTemplate(text: string, fields: ReadonlySet<string>): ParsedTemplate | Fault {
  const parts: TemplatePart[] = []
  let from = 0
  const add = (part: TemplatePart, start: number, end: number): void => {
    if (start > from) parts.push({ kind: 'text', text: text.slice(from, start) })
    parts.push(part)
    from = end
  }
  for (const match of text.matchAll(PART)) {
    const { index } = match
    const name = match[1] ?? match[2]
    if (index < from) continue
    if (match[0] === '\\$') add({ kind: 'text', text: '$' }, index, index + 2)
    else if (name !== undefined) add({ kind: 'variable', name }, index, index + match[0].length)
    else {
      const found = fieldAt(text, index, fields)
      if (found !== null && !found.ok) return found
      if (found !== null) add(found.part, index, found.end)
    }
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) })
  return { ok: true, parts }
}
