import { nearest, quoted } from '@string-os/protocol'
import type { ActionSource } from '../../document/document.ts'
import { checkValue } from '../call/value.ts'
import { bodyKind, contentTypeOf, JSON_FORM } from '../http/body.ts'
import type { Declaration } from './declaration.ts'
import type { Field } from './field.ts'
import { doubledBraces } from './foreign-templates.ts'
import { judgeTemplate } from './template.ts'

/** What can be read as an action, but does not do what its author means. */
export interface Mistake {
  readonly line: number
  readonly problem: string
  readonly next: string
  /** It may be meant so. */
  readonly isDoubt: boolean
}

/** A place for a value; `${name}`, `%{name}` and `@{name}` are of bash, curl and git. */
const PLACE = /(?<![$%@\\{])\{([A-Za-z_][A-Za-z0-9_-]*)(?:\[\d{1,4}\])?(?:\|[A-Za-z0-9]+)*\}/g

/** `response` is what is written about its answer, empty where nothing is. */
export function mistakesIn(source: ActionSource, declaration: Declaration, response: string): Mistake[] {
  const { fields } = declaration
  return [
    ...undeclared(source, declaration),
    ...doubled(source, declaration),
    ...withoutScheme(source, declaration),
    ...almostJson(source, declaration),
    ...mistakesInFields(source, fields),
    ...fields.flatMap((field) => unused(field, declaration, source, response)),
  ]
}

/** The part of it for which no template is needed. */
export function mistakesInFields(source: ActionSource, fields: readonly Field[]): Mistake[] {
  return fields.flatMap((field) => impossible(field, source))
}

/** Braces between single quotes are more often a program for awk or jq, unless they look like a field. */
function undeclared({ content, line }: ActionSource, { template, fields }: Declaration): Mistake[] {
  // Also a field that is written wrongly is declared.
  const written = [...content.matchAll(/^[ \t]+([A-Za-z_][\w-]*)/gm)].map(([, name = '']) => name)
  const names = [...fields.map(({ name }) => name), ...written]
  const isCommand = template.kind === 'cli'
  const seen = new Set<string>()
  return content.split('\n').flatMap((text, row) => {
    if (/^\s+[A-Za-z_][\w-]*\s*(?:,\s*-\w\s*)?:/.test(text)) return []
    return [...text.matchAll(PLACE)].flatMap(({ 1: name = '', index }) => {
      const close = nearest(name, names)
      const isProgram = isCommand && text.slice(0, index).split("'").length % 2 === 0
      if (names.includes(name) || seen.has(name) || (isProgram && close === null)) return []
      seen.add(name)
      const declare = `eclare it, indented below: ${name}: string`
      const asText = isCommand ? `; for the text itself write \\{${name}}` : ''
      return [
        {
          line: line + row,
          problem: `{${name}} is no field of this action, and stays as it is written`,
          next: `${close === null ? 'D' : `Did you mean {${close}}? Else d`}${declare}${asText}`,
          isDoubt: false,
        },
      ]
    })
  })
}

function doubled({ content, line }: ActionSource, { fields }: Declaration): Mistake[] {
  const isField = (name: string): boolean => fields.some((field) => field.name === name)
  return content.split('\n').flatMap((text, row) => {
    return doubledBraces(text, isField).map((found) => ({ line: line + row, ...found }))
  })
}

/** A value never decides what an address is: such a request is refused whenever it is called. */
function withoutScheme({ content, line }: ActionSource, { template }: Declaration): Mistake[] {
  const [, place] = (template.kind === 'http' && /^(\$\w+|\{[\w-]+\})/.exec(template.url)) || []
  if (template.kind !== 'http' || place === undefined) return []
  const row = content.split('\n').findIndex((text) => text.includes(template.url))
  return [
    {
      line: line + Math.max(row, 0),
      problem: `The address begins with ${place}, and every call would be refused`,
      next: `Write the scheme out, as in https://${template.url}: a value can be the host, and the port behind a colon`,
      isDoubt: false,
    },
  ]
}

/** A body that begins as JSON does and is none; where a header says that it is JSON, it is refused. */
function almostJson({ content, line }: ActionSource, { template, fields }: Declaration): Mistake[] {
  if (template.kind !== 'http' || template.body === null) return []
  const { body, headers } = template
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? null
  const { parts } = judgeTemplate(body, new Set(fields.map(({ name }) => name)))
  const [first] = parts
  // What begins with a field is what that field says.
  const looksSo = first?.kind === 'text' && /^\s*[{[]/.test(first.text)
  if (type !== null || !looksSo || bodyKind(parts, 'application/json').ok) return []
  const row = content.split('\n').findIndex((text) => /^\s+body:\s*$/.test(text) || /\s-d\s/.test(text))
  return [
    {
      line: line + Math.max(row, 0),
      problem: `The body looks like JSON and is none: it is sent as it is written, as ${contentTypeOf('plain')}`,
      next: `${JSON_FORM}; if it is meant so, say what it is: -H "Content-Type: text/plain"`,
      isDoubt: true,
    },
  ]
}

/** Bounds that nothing meets, and a default that its own field refuses. */
function impossible(field: Field, source: ActionSource): Mistake[] {
  const { name, min, max, fallback } = field
  const line = lineOf(name, source)
  const found: Mistake[] = []
  if (min !== null && max !== null && min > max)
    found.push({
      line,
      problem: `${name} can have no value: min ${min} is more than max ${max}`,
      next: `Write (min:${max}, max:${min})`,
      isDoubt: false,
    })
  // What a variable says is known when it runs.
  const judged = fallback === null || fallback.includes('$') ? null : checkValue(field, fallback)
  if (judged?.ok === false && !(found.length > 0 && isOfType(field, fallback ?? '')))
    found.push({
      line,
      problem: `The default of ${name} cannot be ${quoted(fallback ?? '')}`,
      next: `${judged.hints.join('. ')}: write another default, or none`,
      isDoubt: false,
    })
  return found
}

function isOfType(field: Field, text: string): boolean {
  return checkValue({ ...field, min: null, max: null }, text).ok
}

/** The fields of a request go into its query or body; a command takes what it names. */
function unused({ name }: Field, { template }: Declaration, source: ActionSource, response: string): Mistake[] {
  // Where it stands as a variable of a shell, that is what is told.
  const isUsed = (text: string): boolean => new RegExp(`\\{${name}[}[|.]|\\$\\{?${name}\\b`).test(text)
  if (template.kind === 'http' || isUsed(template.script) || isUsed(response)) return []
  const problem = `The field ${name} is used nowhere: its value changes nothing`
  return [
    { line: lineOf(name, source), problem, next: `Write {${name}} in the command, or remove the field`, isDoubt: true },
  ]
}

function lineOf(name: string, { content, line }: ActionSource): number {
  const row = content.split('\n').findIndex((text) => new RegExp(`^\\s+${name}\\s*[,:]`).test(text))
  return line + Math.max(0, row)
}
