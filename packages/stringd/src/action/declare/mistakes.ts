import { nearest, quoted } from '@string-os/protocol'
import type { ActionSource } from '../../document/document.ts'
import { checkValue } from '../call/value.ts'
import { bodyKind, contentTypeOf, jsonForm } from '../http/body.ts'
import { beginsWithMachine, carriesUser, refusedInUrl, wholeAddress } from '../http/url.ts'
import type { Declaration } from './declaration.ts'
import type { Field } from './field.ts'
import { doubledIn } from './foreign-templates.ts'
import { amidCommand } from './misplaced-line.ts'
import { OWN_FLAGS } from './own-flags.ts'
import { judgeTemplate, type TemplatePart } from './template.ts'

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

const PLACE_INSIDE = /^[A-Za-z_][A-Za-z0-9_-]*(?:\[\d{1,4}\])?(?:\|[A-Za-z0-9]+)*$/

/** What else an action knows. */
interface Around {
  /** What is written about its answer, empty where nothing is. */
  readonly response: string
  /** The variables that the package lists. */
  readonly variables: readonly string[]
}

export function mistakesIn(source: ActionSource, declaration: Declaration, around: Around): Mistake[] {
  const { fields } = declaration
  const { response, variables } = around
  return [
    ...amid(source, declaration),
    ...undeclared(source, declaration, variables),
    ...ofResponse(source),
    ...doubled(source, declaration, variables),
    ...spaced(source, declaration),
    ...withColon(source, declaration),
    ...inBraces(source, declaration),
    ...emptyInAddress(source, declaration),
    ...uselessAddress(source, declaration),
    ...almostJson(source, declaration),
    ...bodyOfGet(source, declaration),
    ...writtenSecret(source, declaration),
    ...mistakesInFields(source, fields),
    ...fields.flatMap((field) => unused(field, declaration, source, response)),
  ]
}

/** A remark below the fields, or the rest of a command, makes them a part of it. */
function amid({ content, line }: ActionSource, { template }: Declaration): Mistake[] {
  if (template.kind !== 'cli') return []
  return amidCommand(content).map(({ number, text }) => ({
    line: line + number,
    problem: `${quoted(text.trim())} is a part of the command: a line behind it begins at the margin`,
    next: 'Put that line above it, or indent it as a field',
    isDoubt: true,
  }))
}

/** The part of it for which no template is needed. */
export function mistakesInFields(source: ActionSource, fields: readonly Field[]): Mistake[] {
  return fields.flatMap((field) => [...impossible(field, source), ...contrary(field, source)])
}

/** What can be read, and one half of it takes away from the other. */
function contrary({ name, required, fallback }: Field, source: ActionSource): Mistake[] {
  const at = { line: lineOf(name, source), isDoubt: true }
  const shadow = OWN_FLAGS.has(name)
    ? [
        {
          ...at,
          problem: `A field ${name} takes the place of --${name}, which every action has`,
          next: `Give it another name: ${[...OWN_FLAGS].join(' and ')} are taken`,
        },
      ]
    : []
  if (!required || fallback === null) return shadow
  const problem = `${name} is required and has a default: it is never missing`
  return [...shadow, { ...at, problem, next: 'Leave out required, or the default' }]
}

/** Servers need not read it, and many refuse it. */
function bodyOfGet({ content, line }: ActionSource, { template }: Declaration): Mistake[] {
  if (template.kind !== 'http' || template.method !== 'GET' || template.body === null) return []
  const row = content.split('\n').findIndex((text) => /^\s+body:\s*$/.test(text) || /(?:^|\s)-d\s/.test(text))
  const problem = 'A GET request has a body, which most servers do not read'
  const next = 'Write POST, or leave the body out: fields go into the address of a GET'
  return [{ line: line + Math.max(row, 0), problem, next, isDoubt: true }]
}

/** Braces between single quotes are more often a program for awk or jq, unless they look like something that is known. */
function undeclared(
  { content, line }: ActionSource,
  { template, fields }: Declaration,
  variables: readonly string[],
): Mistake[] {
  // Also a field that is written wrongly is declared.
  const written = [...content.matchAll(/^[ \t]+([A-Za-z_][\w-]*)/gm)].map(([, name = '']) => name)
  const names = [...fields.map(({ name }) => name), ...written]
  const isCommand = template.kind === 'cli'
  const seen = new Set<string>()
  return content.split('\n').flatMap((text, row) => {
    if (/^\s+[A-Za-z_][\w-]*\s*(?:,\s*-\w\s*)?:/.test(text)) return []
    return [...text.matchAll(PLACE)].flatMap(({ 1: name = '', index }) => {
      const isVariable = variables.includes(name)
      if (names.includes(name) || seen.has(name)) return []
      if (isCommand && isQuoted(text, index) && !isVariable && nearest(name, names) === null) return []
      seen.add(name)
      const asText = isCommand ? `; for the text itself write \\{${name}}` : ''
      const problem = isVariable
        ? `{${name}} is no field of this action but a variable of env, and stays as it is written`
        : `{${name}} is no field of this action, and stays as it is written`
      const next = isVariable ? `Write $${name}` : `${asField(name, names)}${asText}`
      return [{ line: line + row, problem, next, isDoubt: false }]
    })
  })
}

/** What a call is answered with is not there when it is made. */
function ofResponse({ content, line, id }: ActionSource): Mistake[] {
  return content.split('\n').flatMap((text, row) => {
    const [place, path = ''] = /\{(Response\.(?:body|status)\b[^{}]*)\}/.exec(text) ?? []
    if (place === undefined) return []
    const problem = `${place} is known in the response of an action only, and stays as it is written`
    const next = `Keep it in the block act.${id}.response: {name} = {${path}}; the next call takes it as {name}`
    return [{ line: line + row, problem, next, isDoubt: false }]
  })
}

/** Between single quotes. */
function isQuoted(text: string, index: number): boolean {
  return text.slice(0, index).split("'").length % 2 === 0
}

/** What to write for a name that is none. */
function asField(name: string, names: readonly string[]): string {
  const close = nearest(name, names)
  const meant = close === null ? 'D' : `Did you mean {${close}}? Else d`
  const stored = /^[A-Z][A-Z0-9_]*$/.test(name) ? `; for a stored variable, list it in env and write $${name}` : ''
  return `${meant}eclare it, indented below: ${name}: string${stored}`
}

/** Braces twice, as other languages write a place; around a name that nobody knows they may be for another program. */
function doubled(
  { content, line }: ActionSource,
  { template, fields }: Declaration,
  variables: readonly string[],
): Mistake[] {
  const names = fields.map(({ name }) => name)
  return content.split('\n').flatMap((text, row) => {
    return doubledIn(text).flatMap(({ whole, path, root, index }) => {
      const isVariable = variables.includes(root)
      const isField = names.includes(root)
      const close = nearest(root, names)
      const isProgram = template.kind === 'cli' && isQuoted(text, index)
      if (isProgram && !isVariable && !isField && close === null) return []
      const at = { line: line + row, isDoubt: false }
      const shown = `${whole} has a brace too many: braces are shown around the value`
      if (isField) return [{ ...at, problem: shown, next: `Write {${path}}` }]
      if (isVariable) return [{ ...at, problem: `${whole} stays as it is written`, next: `Write $${root}` }]
      const next = `${close === null ? `Write {${root}}. ` : ''}${asField(root, names)}`
      return [{ ...at, problem: `${whole} is no place of a value, and stays as it is written`, next, isDoubt: true }]
    })
  })
}

/** `{ name }` of a field; in a body such braces are those of JSON, and in a command those of bash. */
function spaced({ content, line }: ActionSource, { template, fields }: Declaration): Mistake[] {
  if (template.kind !== 'http') return []
  return content.split('\n').flatMap((text, row) => {
    if (/^\s/.test(text)) return []
    return [...text.matchAll(/(?<!\{)\{[ \t]*([A-Za-z_][\w-]*)[ \t]*\}(?!\})/g)].flatMap(([whole, name = '']) => {
      if (whole === `{${name}}` || !fields.some((field) => field.name === name)) return []
      const problem = `${whole} stays as it is written: a place has no blanks in its braces`
      return [{ line: line + row, problem, next: `Write {${name}}`, isDoubt: false }]
    })
  })
}

/** `/:name` of a field, as routes are written elsewhere. */
function withColon({ content, line }: ActionSource, { template, fields }: Declaration): Mistake[] {
  if (template.kind !== 'http') return []
  return [...template.url.matchAll(/\/:([A-Za-z_][\w-]*)/g)].flatMap(([whole, name = '']) => {
    if (!fields.some((field) => field.name === name)) return []
    const row = content.split('\n').findIndex((text) => text.includes(whole))
    const problem = `:${name} in the address stays as it is written`
    return [{ line: line + Math.max(row, 0), problem, next: `Write {${name}}`, isDoubt: false }]
  })
}

/** `{id?}`, `{id:int}`: what other languages write in an address, in which no brace has a meaning of its own. */
function inBraces({ content, line }: ActionSource, { template, fields }: Declaration): Mistake[] {
  if (template.kind !== 'http') return []
  const names = fields.map(({ name }) => name)
  const { parts } = judgeTemplate(template.url, new Set(names))
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  return texts.flatMap((text) =>
    [...text.matchAll(/(?<!\{)\{([^{}]*)\}(?!\})/g)].flatMap(([whole, inner = '']) => {
      const [name] = /[A-Za-z_][\w-]*/.exec(inner) ?? []
      // Those are told as what they are.
      if (name === undefined || inner.trim() === name || PLACE_INSIDE.test(inner)) return []
      const row = content.split('\n').findIndex((each) => each.includes(whole))
      const problem = `${whole} in the address stays as it is written`
      const next = names.includes(name) ? `Write {${name}}` : `Write {${name}}. ${asField(name, names)}`
      return [{ line: line + Math.max(row, 0), problem, next, isDoubt: false }]
    }),
  )
}

/** A field that may be missing, where nothing can be. */
function emptyInAddress(source: ActionSource, { template, fields }: Declaration): Mistake[] {
  if (template.kind !== 'http') return []
  const { parts } = judgeTemplate(template.url, new Set(fields.map(({ name }) => name)))
  return fields.flatMap(({ name, required, fallback }) => {
    if (required || fallback !== null || refusedInUrl(parts, { kind: 'field', name, value: '' }) === null) return []
    const problem = `${name} stands where the address cannot be empty, and need not be given: a call without it fails`
    const next = 'Write (required) behind its type, or give it a default'
    return [{ line: lineOf(name, source), problem, next, isDoubt: false }]
  })
}

/** An address that every call would refuse: a value never decides what it is, and a package lies beside none. */
function uselessAddress({ content, line }: ActionSource, { template, fields }: Declaration): Mistake[] {
  if (template.kind !== 'http') return []
  const { url } = template
  const wrong = addressMistake(url, judgeTemplate(url, new Set(fields.map(({ name }) => name))).parts)
  if (wrong === null) return []
  const row = content.split('\n').findIndex((text) => text.includes(url))
  const problem = `${wrong.problem}, and every call would be refused`
  return [{ line: line + Math.max(row, 0), problem, next: wrong.next, isDoubt: false }]
}

function addressMistake(url: string, parts: readonly TemplatePart[]): Pick<Mistake, 'problem' | 'next'> | null {
  const [, place] = /^(\$\w+|\{[\w-]+\})/.exec(url) ?? []
  if (place !== undefined)
    return {
      problem: `The address begins with ${place}`,
      next: `Write the scheme out, as in https://${url}: a value can be the host, and the port behind a colon`,
    }
  // That is refused, and told already.
  const meant = beginsWithMachine(url) ? null : wholeAddress(url)
  if (meant !== null) return { problem: 'The address has no scheme', next: `Write all of it: ${meant}` }
  if (!carriesUser(parts)) return null
  const next = 'Leave out what stands before the @; a header can carry it: -H "Authorization: Basic …"'
  return { problem: 'The address carries a user name or password', next }
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
      next: `${jsonForm(content)}; if it is meant so, say what it is: -H "Content-Type: text/plain"`,
      isDoubt: true,
    },
  ]
}

const CREDENTIAL = /^(?:(?:Bearer|Basic|Token)\s+)?[A-Za-z0-9._~+/=-]{16,}$/i
const CREDENTIAL_HEADER = /^(?:Authorization|Proxy-Authorization|X-(?:Api|Auth)-(?:Key|Token)|Api-Key)$/i

/** A header that proves who calls, whole in the document: whoever gets the package has it. */
function writtenSecret({ content, line }: ActionSource, { template }: Declaration): Mistake[] {
  if (template.kind !== 'http') return []
  const found = template.headers.find(([name, value]) => CREDENTIAL_HEADER.test(name) && CREDENTIAL.test(value))
  if (found === undefined) return []
  const row = content.split('\n').findIndex((text) => text.includes(found[1]))
  const problem = `The header ${found[0]} has its secret written out: everyone who gets the package can read it`
  const next = `List it in env and write $NAME in its place: -H "${found[0]}: ${/^\w+(?=\s)/.exec(found[1])?.[0] ?? ''} $API_TOKEN"`
  return [{ line: line + Math.max(row, 0), problem, next: next.replace(':  ', ': '), isDoubt: true }]
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
  // Of bounds that nothing meets it is no news.
  const choices = found.length > 0 ? [] : (field.allowed ?? [])
  const never = choices.flatMap((choice) => {
    // Of a tuple it is an item: how many there are is another matter.
    const taken = checkValue(field.type === 'tuple' ? { ...field, min: null, max: null } : field, choice)
    return taken.ok ? [] : [{ choice: quoted(choice), why: taken.hints.join('. ') }]
  })
  const [first] = never
  if (first !== undefined)
    found.push({
      line,
      problem: `${name} never takes ${never.map(({ choice }) => choice).join(' or ')}, which its choices name`,
      next: `${first.why}: write another choice, or another type`,
      isDoubt: false,
    })
  // What a variable says is known when it runs.
  const judged = fallback === null || fallback.includes('$') ? null : checkValue(field, fallback)
  if (judged?.ok === false && !(found.length > 0 && isOfType(field, fallback ?? '')))
    found.push({
      line,
      problem: `The default of ${name} cannot be ${quoted(fallback ?? '') || '""'}`,
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
  if (name === 'unsafe' || template.kind === 'http' || isUsed(template.script) || isUsed(response)) return []
  const problem = `The field ${name} is used nowhere: its value changes nothing`
  return [
    { line: lineOf(name, source), problem, next: `Write {${name}} in the command, or remove the field`, isDoubt: true },
  ]
}

function lineOf(name: string, { content, line }: ActionSource): number {
  const row = content.split('\n').findIndex((text) => new RegExp(`^\\s+${name}\\s*[,:]`).test(text))
  return line + Math.max(0, row)
}
