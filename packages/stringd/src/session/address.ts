import type { Hub } from '@string-os/protocol'
import type { PageOrigin } from '../web/admission.ts'
import type { Place } from './workspace.ts'

/** Where targets inside a document start. */
export type Base =
  | { readonly kind: 'file'; readonly folder: string }
  | { readonly kind: 'web'; readonly url: string; readonly origin: PageOrigin }
  | { readonly kind: 'none' }

/** A document, and perhaps one block of it. */
export type Address = { readonly block: string | null } & (
  | { readonly kind: 'file'; readonly place: Place }
  | { readonly kind: 'web'; readonly url: string; readonly from: PageOrigin | null }
  | { readonly kind: 'hub'; readonly hub: Hub }
)

/** The document itself, without its block: what tells two apart. */
export function uriOf(address: Address): string {
  switch (address.kind) {
    case 'file':
      return fileUri(address.place.path)
    case 'web':
      return address.url
    case 'hub':
      return `string://${address.hub}`
  }
}

export function fileUri(path: string): string {
  return `file://${path.split('/').map(encodeURIComponent).join('/')}`
}
