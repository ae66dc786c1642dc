import { type Failure, fail, LIMITS, strip } from '@string-os/protocol'
import type { Filler } from '../call/fill.ts'
import { type Fault, fault } from '../declare/field.ts'
import type { TemplatePart } from '../declare/template.ts'

/** What the connection itself decides, or would be told two things about. */
const CLOSED = /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*)$/i

export function headerProblem(name: string): Fault | null {
  return CLOSED.test(name)
    ? fault(
        `the header ${name} belongs to the connection`,
        `Leave out -H "${name}: …": it is set when the request is sent`,
      )
    : null
}

/** Fills the value of a header: one line, sent as UTF-8. */
export function fillHeader(
  name: string,
  parts: readonly TemplatePart[],
  { fill }: Filler,
): { readonly ok: true; readonly header: readonly [string, string] } | Failure {
  let value = ''
  for (const part of parts) {
    const filled = part.kind === 'text' ? { ok: true as const, text: part.text } : fill(part)
    if (!filled.ok) return filled
    if (/\p{Cc}/u.test(filled.text.replaceAll('\t', ' ')))
      return fail(
        'INVALID_PARAMS',
        `${part.kind === 'text' ? 'The template' : part.name} holds a line break or control character, which the header ${name} cannot`,
        'A header is one line of text: give another value',
      )
    value += filled.text
    if (value.length > LIMITS.headerBytes)
      return fail(
        'TOO_LARGE',
        `The header ${name} would be longer than ${LIMITS.headerBytes} bytes`,
        'Give a shorter value',
      )
  }
  return { ok: true, header: [name, Buffer.from(strip(value, ' \t')).toString('latin1')] }
}
