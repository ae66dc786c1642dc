import type { FieldPart } from './template.ts'

export type Place = 'bare' | 'double' | 'single' | 'heredoc'

export type ScriptPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'field'; readonly field: FieldPart; readonly place: Place }
  /** `$ARGS`; `alone`: a word of its own, which may become several. */
  | { readonly kind: 'args'; readonly place: Place; readonly alone: boolean }

export interface ShellTemplate {
  readonly parts: readonly ScriptPart[]
  /** The variables that the script reads; true where it says itself what to do without one. */
  readonly variables: ReadonlyMap<string, boolean>
}
