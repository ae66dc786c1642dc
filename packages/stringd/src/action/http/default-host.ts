import type { Field } from '../declare/field.ts'
import { judgeTemplate, type TemplatePart } from '../declare/template.ts'
import { hostOf, sentAddress } from './url-host.ts'

/** Where a request goes while nobody says otherwise. */
export interface DefaultHost {
  readonly host: string
  readonly address: string
  /** The defaults that stand in the host, in their order. */
  readonly values: readonly string[]
}

/** Puts the defaults into the host; null where none stands there. */
export function defaultHost(
  parts: readonly TemplatePart[],
  fields: readonly Field[],
  variables: ReadonlyMap<string, string>,
): DefaultHost | null {
  const values: string[] = []
  let url = ''
  const filled = parts.flatMap((part) => {
    const found = isBeforePath(url) ? defaultOf(part, fields, variables) : null
    if (found !== null) values.push(...found.flatMap((each) => (each.kind === 'text' ? [each.text] : [])))
    const all = found ?? [part]
    url += all.map((each) => (each.kind === 'text' ? each.text : 'x')).join('')
    return all
  })
  return values.length === 0 ? null : { host: hostOf(filled), address: sentAddress(filled), values }
}

function isBeforePath(url: string): boolean {
  return !/[/\\?#]/.test(url.replace(/^[a-z]+:[/\\]{2}/i, ''))
}

/** The default of a field may itself name variables. */
function defaultOf(
  part: TemplatePart,
  fields: readonly Field[],
  variables: ReadonlyMap<string, string>,
): TemplatePart[] | null {
  if (part.kind === 'text') return null
  if (part.kind === 'variable') {
    const text = variables.get(part.name)
    return text === undefined ? null : [{ kind: 'text', text }]
  }
  const fallback = fields.find(({ name }) => name === part.name)?.fallback ?? null
  if (fallback === null || part.pipes.length > 0) return null
  return judgeTemplate(fallback, new Set()).parts.flatMap((each) => defaultOf(each, [], variables) ?? [each])
}
