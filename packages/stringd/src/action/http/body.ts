import { type Failure, fail, LIMITS } from '@string-os/protocol'
import type { Filled, Filler } from '../call/fill.ts'
import { type Fault, fault } from '../declare/field.ts'
import type { TemplatePart } from '../declare/template.ts'

export type BodyKind = 'json' | 'form' | 'plain'

interface KnownKind {
  readonly ok: true
  readonly kind: BodyKind
}

const JSON_FORM = 'Mend the JSON ("key": "{field}" for text, "key": {field} for a value)'

/** How a body that is no JSON becomes some. Without quotes around it, it loses its own. */
export function jsonForm(block: string): string {
  const [, bare] = /\s-d\s+([{[][^\s']*"[^\s']*)(?=\s|$)/.exec(block) ?? []
  return bare === undefined ? JSON_FORM : `Put single quotes around it: -d '${bare}'`
}

/** Decides what a body template is: as its header says, else JSON when it is JSON. */
export function bodyKind(parts: readonly TemplatePart[], contentType: string | null, block = ''): KnownKind | Fault {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? null
  if (type === 'application/x-www-form-urlencoded') return { ok: true, kind: 'form' }
  const isJson = isJsonTemplate(parts)
  if (type === null) return { ok: true, kind: isJson ? 'json' : 'plain' }
  if (type !== 'application/json' && !type.endsWith('+json')) return { ok: true, kind: 'plain' }
  if (!isJson)
    return fault(
      'the body is not JSON, although its content type says so',
      `${jsonForm(block)}, or remove that Content-Type`,
    )
  return { ok: true, kind: 'json' }
}

export function contentTypeOf(kind: BodyKind): string {
  return kind === 'json' ? 'application/json' : 'text/plain; charset=utf-8'
}

/** Fills a body: in JSON a value is one string, or one part of a string; in a form one value. */
export function fillBody(
  parts: readonly TemplatePart[],
  kind: BodyKind,
  { fill }: Filler,
): { readonly ok: true; readonly text: string } | Failure {
  let text = ''
  let inString = false
  for (const part of parts) {
    if (part.kind === 'text') {
      text += part.text
      if (kind === 'json') inString = isInString(part.text, inString)
      continue
    }
    const filled = fill(part)
    if (!filled.ok) return filled
    text += encode(filled, kind, inString)
    if (text.length > LIMITS.requestBodyBytes)
      return fail('TOO_LARGE', `The body would be larger than ${LIMITS.requestBodyBytes} bytes`, 'Give shorter values')
  }
  return { ok: true, text }
}

function encode({ text, json }: Filled, kind: BodyKind, inString: boolean): string {
  if (kind === 'form') return encodeURIComponent(text)
  if (kind === 'plain') return text
  return inString ? JSON.stringify(text).slice(1, -1) : json
}

/** Whether the template is JSON whatever its values are. */
function isJsonTemplate(parts: readonly TemplatePart[]): boolean {
  let probe = ''
  let inString = false
  for (const part of parts) {
    if (part.kind !== 'text') {
      probe += inString ? '' : 'null'
      continue
    }
    // A value behind a backslash or a part of an escape would be read with it.
    if (/(^|[^\\])(\\\\)*\\(u[0-9a-f]{0,3})?$/i.test(part.text) && part !== parts.at(-1)) return false
    probe += part.text
    inString = isInString(part.text, inString)
  }
  try {
    const value: unknown = JSON.parse(probe)
    return typeof value === 'object' && value !== null
  } catch {
    // It is some other text.
    return false
  }
}

/** Whether the text ends inside a string, when it began inside one or not. */
function isInString(text: string, before: boolean): boolean {
  const quotes = text.replace(/\\./gs, '').split('"').length - 1
  return quotes % 2 === 0 ? before : !before
}
