import type { FieldPart } from '../declare/template.ts'

/** What is around a value in a script; `closed`: text in which bash replaces nothing. */
export type Quoting = 'bare' | 'double' | 'single' | 'ansi' | 'heredoc' | 'closed'

export type ScriptPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'field'; readonly field: FieldPart; readonly place: Quoting }
  /** `$ARGS`; `alone`: a word of its own, which may become several. */
  | { readonly kind: 'args'; readonly place: Quoting; readonly alone: boolean }

export interface ShellTemplate {
  readonly ok: true
  /** As it was written. */
  readonly source: readonly ScriptPart[]
  /** What runs. */
  readonly script: readonly ScriptPart[]
  /** The variables that it reads; true where it says itself what to do without one. */
  readonly variables: ReadonlyMap<string, boolean>
  /** Names to which it gives a value itself: one that it made, or only the one they had, as `KEY="$KEY" program` does. */
  readonly assigned: ReadonlyMap<string, 'made' | 'passed on'>
}

export function textPart(text: string): ScriptPart {
  return { kind: 'text', text }
}
