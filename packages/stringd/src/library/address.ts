import { relative } from 'node:path'
import { type Hub, visibleLine } from '@string-os/protocol'
import type { Place } from '../files/workspace.ts'
import type { PageOrigin } from '../web/admission.ts'

/** Where targets inside a document start. */
export type Base =
  /** `file` is the document itself; null where there is none, as in the listing of a folder. */
  | { readonly kind: 'file'; readonly folder: string; readonly file: string | null }
  | { readonly kind: 'web'; readonly url: string; readonly origin: PageOrigin }
  | { readonly kind: 'none' }

/** What an included document is called, seen from the one that is open; null for that itself. */
export function nameIncluded(base: Base, root: Base): string | null {
  if (base.kind === 'web') return root.kind === 'web' && root.url === base.url ? null : visibleLine(base.url)
  if (base.kind === 'none' || base.file === null || root.kind !== 'file' || root.file === base.file) return null
  return visibleLine(relative(root.folder, base.file))
}

/** A link as its page shows it. */
export interface ShownLink {
  readonly target: string
  readonly base: Base
}

/** A document, and perhaps one block of it; `link` is the one that led there, where it was typed as the page shows it. */
export type Address = { readonly ok: true; readonly block: string | null; readonly link?: ShownLink } & (
  | {
      readonly kind: 'file' | 'folder'
      readonly place: Place
      /** A folder was named, and this file is its page. */
      readonly isPage?: true
    }
  | { readonly kind: 'web'; readonly url: string; readonly from: PageOrigin | null }
  | { readonly kind: 'hub'; readonly hub: Hub }
)

/** The document itself, without its block: what tells two apart. */
export function uriOf(address: Address): string {
  switch (address.kind) {
    case 'file':
      return fileUri(address.place.path)
    case 'folder':
      return folderUri(address.place.path)
    case 'web':
      return address.url
    case 'hub':
      return `string://${address.hub}`
  }
}

/** Whether two are the same document and block. */
export function isSameAddress(a: Address, b: Address): boolean {
  return a.block === b.block && isSameDocument(a, b)
}

export function isSameDocument(a: Address, b: Address): boolean {
  if (a.kind === 'file' || a.kind === 'folder') return a.kind === b.kind && a.place.path === b.place.path
  return a.kind === b.kind && uriOf(a) === uriOf(b)
}

export function fileUri(path: string): string {
  return `file://${path.split('/').map(encodeURIComponent).join('/')}`
}

export function folderUri(path: string): string {
  return `${fileUri(path).replace(/\/$/, '')}/`
}
