import type { Document } from '../document/document.ts'

/** Work that can be done here or in a worker. */
export type ParseTask =
  | { readonly kind: 'markdown'; readonly text: string }
  | { readonly kind: 'html'; readonly text: string; readonly url: string }

export interface ParsedText {
  readonly ok: true
  readonly document: Document
  readonly title: string | null
}
