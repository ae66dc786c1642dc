import type { Failure } from '@string-os/protocol'
import type { ActionSource, DocumentLine } from '../../document/document.ts'
import type { Method } from '../../web/http-send.ts'
import { compileShell } from '../bash/compile-shell.ts'
import type { ShellTemplate } from '../bash/script-part.ts'
import { type BodyKind, bodyKind } from '../http/body.ts'
import { headerProblem } from '../http/header.ts'
import { addressProblem, beginsWithMachine } from '../http/url.ts'
import {
  type CliTemplate,
  type Declaration,
  type HttpTemplate,
  judgeDeclaration,
  malformed,
  misread,
} from './declaration.ts'
import { apart, type Fault, fault, isAny, type Misread, together } from './field.ts'
import { judgeTemplate, type TemplatePart } from './template.ts'

export interface HttpPlan {
  readonly ok: true
  readonly kind: 'http'
  readonly method: Method
  readonly url: readonly TemplatePart[]
  readonly headers: readonly (readonly [name: string, parts: readonly TemplatePart[]])[]
  readonly body: BodyTemplate | null
  /** Fields that have their place in the address, a header or the body; the others go into the query or a JSON object. */
  readonly placed: ReadonlySet<string>
}

interface BodyTemplate {
  readonly ok: true
  readonly kind: BodyKind
  readonly parts: readonly TemplatePart[]
}

export interface CliPlan {
  readonly ok: true
  readonly kind: 'cli'
  readonly shell: ShellTemplate
}

/** A declaration whose templates are read: it can be called any number of times. */
export interface Compiled {
  readonly ok: true
  readonly declaration: Declaration
  readonly plan: HttpPlan | CliPlan
  /** It has a place for words that belong to no field. */
  readonly takesRest: boolean
}

/** An action that can be called, or why this one cannot. */
export function compile(
  source: ActionSource,
  called?: string,
  place: Pick<DocumentLine, 'file'> = {},
): Compiled | Failure {
  const compiled = readAction(source, called)
  return compiled.ok ? compiled : malformed(source.id, { ...compiled, ...place })
}

/** The one judge of what is written in a block: who calls it and who only opens its document hear the same. */
export function readAction(source: ActionSource, called?: string): Compiled | Misread {
  const { declaration, inTemplate, inFields } = judgeDeclaration(source, called)
  if (declaration === null) return misread(source, [...inTemplate, ...inFields])
  const { template, fields } = declaration
  const names = new Set(fields.map(({ name }) => name))
  const plan = template.kind === 'cli' ? compileCli(template, names) : compileHttp(template, names, source.content)
  const wrong = [...inTemplate, ...(plan.ok ? [] : placed(plan, source.line)), ...inFields]
  if (!plan.ok || isAny(wrong)) return misread(source, wrong)
  const takesRest = plan.kind === 'cli' && plan.shell.source.some(({ kind }) => kind === 'args')
  return { ok: true, declaration, plan, takesRest }
}

/** Mistakes in a template, by the lines of the document. */
function placed(faults: Fault, line: number): Misread[] {
  return apart(faults).map((fault) => ({ ...fault, line: line + (fault.row ?? 0), others: [] }))
}

function compileCli({ script, isUnsafe }: CliTemplate, names: ReadonlySet<string>): CliPlan | Fault {
  if (script.trim() === '')
    return fault('CLI needs a command', 'Write it behind CLI, in the same line: CLI ./script.sh {field}')
  const shell = compileShell(script, names, isUnsafe)
  return shell.ok ? { ok: true, kind: 'cli', shell } : shell
}

function compileHttp(template: HttpTemplate, names: ReadonlySet<string>, block: string): HttpPlan | Fault {
  const wrong: Fault[] = []
  const read = (text: string): readonly TemplatePart[] => {
    const judged = judgeTemplate(text, names)
    wrong.push(...judged.wrong)
    return judged.parts
  }
  const url = read(template.url)
  const address = schemeProblem(template.url) ?? addressProblem(url)
  if (address !== null) wrong.push(address)
  const headers: [string, readonly TemplatePart[]][] = []
  for (const [name, value] of template.headers) {
    headers.push([name, read(value)])
    const refused = headerProblem(name)
    if (refused !== null) wrong.push(refused)
  }
  const parts = template.body === null ? null : read(template.body)
  const body = parts === null ? null : compileBody(parts, template.headers, block)
  if (body?.ok === false) wrong.push(body)
  if (body?.ok === false) return isAny(wrong) ? together(wrong) : body
  if (isAny(wrong)) return together(wrong)
  const places = [...url, ...headers.flatMap(([, parts]) => parts), ...(body?.parts ?? [])]
  const inPlace = new Set(places.flatMap((part) => (part.kind === 'field' ? [part.name] : [])))
  return { ok: true, kind: 'http', method: template.method, url, headers, body, placed: inPlace }
}

/** A scheme that is written out and that no request has, or one that was forgotten. */
function schemeProblem(url: string): Fault | null {
  if (beginsWithMachine(url)) return fault('the address has no scheme', `Write http://${url} or https://${url}`)
  const [, scheme] = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(url) ?? []
  if (scheme === undefined || /^https?$/i.test(scheme)) return null
  return fault(`${scheme}:// is no scheme of a request`, 'Begin the address with https:// or http://')
}

function compileBody(
  parts: readonly TemplatePart[],
  headers: HttpTemplate['headers'],
  block: string,
): BodyTemplate | Fault {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? null
  const known = bodyKind(parts, type, block)
  return known.ok ? { ...known, parts } : known
}
