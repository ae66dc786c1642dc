import { neededVariables } from '../bash/fill-script.ts'
import type { Compiled } from './compile.ts'

/** The stored variables without which an action cannot be called. */
export function variablesNeeded({ plan }: Compiled): string[] {
  if (plan.kind === 'cli') return neededVariables(plan.shell)
  const parts = [...plan.url, ...plan.headers.flatMap(([, value]) => value), ...(plan.body?.parts ?? [])]
  return [...new Set(parts.flatMap((part) => (part.kind === 'variable' ? [part.name] : [])))]
}
