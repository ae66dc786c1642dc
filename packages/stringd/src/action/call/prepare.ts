import { type Failure, fail } from '@string-os/protocol'
import type { Headers, Method } from '../../web/http-send.ts'
import { fillScript, type Script } from '../bash/fill-script.ts'
import type { CliPlan, Compiled, HttpPlan } from '../declare/compile.ts'
import { contentTypeOf, fillBody } from '../http/body.ts'
import { fillHeader } from '../http/header.ts'
import { fillUrl, wholeAddress } from '../http/url.ts'
import type { Secrets } from '../run/secrets.ts'
import type { CallArguments } from './arguments.ts'
import { createFiller, type Filler } from './fill.ts'
import type { Powers } from './powers.ts'
import type { FieldValue } from './value.ts'

/** A request with its values in place. */
export interface HttpRequest {
  readonly ok: true
  readonly kind: 'http'
  readonly method: Method
  readonly url: string
  readonly headers: Headers
  readonly body: string | null
}

/** One call, ready to be performed or shown. */
export interface PreparedAction {
  readonly ok: true
  readonly action: HttpRequest | (Script & { readonly kind: 'cli' })
  readonly filler: Filler
  readonly secrets: Secrets
}

/** Puts the values of a call into the templates, as far as the document's powers go. Nothing is sent or started. */
export function prepare(
  { declaration, plan }: Compiled,
  call: CallArguments,
  powers: Powers,
  /** Fields that say where the answer goes, which is nothing that a server is told. */
  inFiles: ReadonlySet<string> = new Set(),
): PreparedAction | Failure {
  if (plan.kind === 'cli' && powers.kind === 'page') return forbidden(declaration.id)
  const filler = createFiller(declaration, call.values, powers, call.dryRun)
  const names = declaration.fields.map(({ name }) => name).filter((name) => !inFiles.has(name))
  const { template } = declaration
  const meant = template.kind === 'http' && powers.origin === null ? wholeAddress(template.url) : null
  if (meant !== null) return withoutScheme(declaration.id, meant)
  for (const name of inFiles) {
    const found = filler.value(name)
    if (found?.ok === false) return filler.secrets.sealed(found)
  }
  const action = plan.kind === 'cli' ? prepareCli(plan, call, filler, powers) : prepareHttp(plan, names, filler, powers)
  return action.ok ? { ok: true, action, filler, secrets: filler.secrets } : filler.secrets.sealed(action)
}

function forbidden(id: string): Failure {
  return fail(
    'ACTION_FORBIDDEN',
    `Action ${id} runs a command, which a page from the web may not`,
    'Save the page as a file and read it first, or /install it',
  )
}

function withoutScheme(id: string, meant: string): Failure {
  return fail(
    'INVALID_TARGET',
    `The address of action ${id} has no scheme: only a page from the web may leave out where it is`,
    `Write all of it in the document: ${meant}`,
  )
}

function prepareCli(
  plan: CliPlan,
  call: CallArguments,
  filler: Filler,
  powers: Powers,
): (Script & { kind: 'cli' }) | Failure {
  const script = fillScript(plan.shell, call.rest, filler, powers)
  return script.ok ? { ...script, kind: 'cli' } : script
}

function prepareHttp(plan: HttpPlan, names: readonly string[], filler: Filler, powers: Powers): HttpRequest | Failure {
  const others = otherValues(plan, names, filler)
  if (!others.ok) return others
  const isQuery = plan.method === 'GET' || plan.method === 'DELETE'
  const address = fillUrl(plan.url, isQuery ? others.items.flatMap(queryPairs) : [], filler)
  if (!address.ok) return address
  const headers: (readonly [string, string])[] = []
  for (const [name, parts] of plan.headers) {
    // Nothing was given that it could say.
    if (parts.length > 0 && parts.every((part) => part.kind === 'field' && filler.value(part.name) === null)) continue
    const filled = fillHeader(name, parts, filler)
    if (!filled.ok) return filled
    headers.push(filled.header)
  }
  const body = bodyOf(plan, isQuery ? [] : others.items, filler)
  if (!body.ok) return body
  if (body.type !== null && !headers.some(([name]) => name.toLowerCase() === 'content-type'))
    headers.push(['Content-Type', body.type])
  const url = absolute(address.url, powers)
  return { ok: true, kind: 'http', method: plan.method, url, headers, body: body.text }
}

type Named = readonly [name: string, value: FieldValue]

interface OtherValues {
  readonly ok: true
  readonly items: readonly Named[]
}

/** The fields that no template has a place for. */
function otherValues({ placed }: HttpPlan, names: readonly string[], { value }: Filler): OtherValues | Failure {
  const others: Named[] = []
  for (const name of names.filter((each) => !placed.has(each))) {
    const found = value(name)
    if (found !== null && !found.ok) return found
    if (found !== null) others.push([name, found])
  }
  return { ok: true, items: others }
}

function queryPairs([name, { text, items }]: Named): [string, string][] {
  return items === null ? [[name, text]] : items.map((item) => [name, item])
}

function bodyOf(
  { body }: HttpPlan,
  others: readonly Named[],
  filler: Filler,
): { readonly ok: true; readonly text: string | null; readonly type: string | null } | Failure {
  if (body !== null) {
    const filled = fillBody(body.parts, body.kind, filler)
    return filled.ok ? { ok: true, text: filled.text, type: contentTypeOf(body.kind) } : filled
  }
  if (others.length === 0) return { ok: true, text: null, type: null }
  const members = others.map(([name, { json }]) => `${JSON.stringify(name)}:${json}`)
  return { ok: true, text: `{${members.join(',')}}`, type: 'application/json' }
}

/** A page may name addresses relative to itself. */
function absolute(url: string, { origin }: Powers): string {
  if (origin === null || /^https?:/i.test(url) || !URL.canParse(url, origin.url)) return url
  return new URL(url, origin.url).href
}
