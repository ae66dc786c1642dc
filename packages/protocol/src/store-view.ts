import { visibleLine } from './text.ts'

/** The store of a daemon: which, where, and how it is. */
export type StoreView = { readonly kind: 'sqlite' | 'postgres'; readonly where: string } & (
  | { readonly ok: true }
  | { readonly ok: false; readonly since: string; readonly reason: string }
)

/** A store in one line: which, where, and how it is. */
export function shownStore({ kind, where, ...state }: StoreView): string {
  const how = state.ok ? 'ok' : `away since ${state.since}: ${state.reason}`
  return visibleLine(`${kind} at ${where} (${how})`)
}
