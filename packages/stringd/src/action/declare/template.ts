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

/** The place of a field, and which of its pipes are none. */
interface FieldPlace {
  readonly part: FieldPart
  readonly end: number
  readonly wrong: readonly Fault[]
}

/** Reads the place of a field that begins at `at`; null where none of the declared ones does. */
export function fieldAt(text: string, at: number, fields: ReadonlySet<string>): FieldPlace | null {
  FIELD.lastIndex = at
  const match = FIELD.exec(text)
  const [whole = '', name = '', index, piped = ''] = match ?? []
  if (match === null || !fields.has(name)) return null
  const words = piped.split('|').slice(1)
  const pipes = words.flatMap((word) => PIPES.filter((known) => known === word))
  const wrong = words.filter((word) => !PIPES.some((known) => known === word)).map((word) => unknownPipe(name, word))
  const part = { kind: 'field', name, index: index === undefined ? null : Number(index), pipes } as const
  return { part, end: at + whole.length, wrong }
}

function unknownPipe(name: string, word: string): Fault {
  const close = nearest(word, PIPES)
  const instead = close === null ? `Write {${name}}, for the value as it is` : `Did you mean {${name}|${close}}?`
  return fault(`${word} is no pipe; pipes: ${PIPES.join(', ')}`, instead)
}

/**
 * Takes a template apart, as far as it can be read, with all that is wrong in it. `{name}` that is no field is text, and so
 * is `\$`, without its backslash.
 */
export function judgeTemplate(
  text: string,
  fields: ReadonlySet<string>,
): { readonly parts: readonly TemplatePart[]; readonly wrong: readonly Fault[] } {
  const parts: TemplatePart[] = []
  const wrong: Fault[] = []
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
      wrong.push(...(found?.wrong ?? []))
      if (found !== null) add(found.part, index, found.end)
    }
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) })
  return { parts, wrong }
}
