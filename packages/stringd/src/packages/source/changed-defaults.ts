import { visibleLine } from '@string-os/protocol'
import { isLinkedPage } from '../state/package-record.ts'
import type { MayDo } from './plan-text.ts'

/** A default decides what happens wherever nobody says otherwise: whatever is new about one is new about the package. */
export function changedDefaults(before: MayDo, after: MayDo): string[] {
  const was = defaultsOf(before, after)
  return [...defaultsOf(after, before)].flatMap(([name, value]) => {
    const old = was.get(name)
    return old === value ? [] : [`default of ${name}: ${old === undefined ? '' : `${old} → `}${value}`]
  })
}

/** Of what is still there. */
export function lostDefaults(before: MayDo, after: MayDo): string[] {
  const is = defaultsOf(after, before)
  const needs = new Set(after.record.needs.map(({ name }) => `$${name}`))
  return [...defaultsOf(before, after)].flatMap(([name, value]) =>
    is.has(name) || (name.startsWith('$') && !needs.has(name)) ? [] : [`default of ${name}: ${value}`],
  )
}

/** Of fields only where both versions have the action: one that is new or gone is told as a whole. */
function defaultsOf({ record, plan }: MayDo, other: MayDo): Map<string, string> {
  const shared = new Set([...other.plan.runs, ...other.plan.requests].map(({ action }) => action))
  const found = new Map<string, string>()
  const add = (name: string, value: string): void => {
    const known = found.get(name)
    found.set(name, known === undefined ? visibleLine(value) : `${known} or ${visibleLine(value)}`)
  }
  if (!isLinkedPage(record))
    for (const { name, fallback } of record.needs) if (fallback !== null) add(`$${name}`, fallback)
  for (const { action, field, value } of plan.defaults) if (shared.has(action)) add(`{${field}} of ${action}`, value)
  return found
}
