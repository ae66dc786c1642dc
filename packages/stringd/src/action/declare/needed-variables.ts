import { compileShell } from '../bash/compile-shell.ts'
import { neededVariables } from '../bash/fill-script.ts'
import type { Compiled } from './compile.ts'
import type { Declaration } from './declaration.ts'
import { judgeTemplate, type TemplatePart } from './template.ts'

/** The variables that the defaults of an action name: a call that does not give those fields fails without them. */
export function variablesOfDefaults({ fields }: Pick<Declaration, 'fields'>): string[] {
  return namesIn(fields.flatMap(({ fallback }) => judgeTemplate(fallback ?? '', new Set()).parts))
}

/** The stored variables without which an action cannot be called. */
export function variablesNeeded({ plan }: Compiled): string[] {
  if (plan.kind === 'cli') return neededVariables(plan.shell)
  return namesIn([...plan.url, ...plan.headers.flatMap(([, value]) => value), ...(plan.body?.parts ?? [])])
}

/** The same of one that is refused, as far as it can be read. */
export function variablesWritten({ template }: Declaration): string[] {
  if (template.kind === 'cli') {
    const shell = compileShell(template.script, new Set(), true)
    return shell.ok ? neededVariables(shell) : []
  }
  const { url, headers, body } = template
  const texts = [url, ...headers.map(([, value]) => value), body ?? '']
  return namesIn(texts.flatMap((text) => judgeTemplate(text, new Set()).parts))
}

function namesIn(parts: readonly TemplatePart[]): string[] {
  return [...new Set(parts.flatMap((part) => (part.kind === 'variable' ? [part.name] : [])))]
}
