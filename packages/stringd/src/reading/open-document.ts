import { dirname } from 'node:path'
import { type Address, uriOf } from '../library/address.ts'
import type { Loaded } from '../library/library.ts'
import type { DocumentFacts, OpenDocument } from '../session/session.ts'

const NOTHING_SEEN: DocumentFacts = { actions: [], menus: [], blocks: [], warnings: [], page: 1, pages: 1 }

/** What a topic shows from now on: a document that was read, with what its reader sees of it. */
export function openDocument(address: Address, { page, title, uri }: Loaded, facts: DocumentFacts): OpenDocument {
  const folder = page.base.kind === 'file' ? page.base.folder : null
  return { address, uri, title, folder, source: false, facts }
}

/** The same for a file whose text alone is looked at: raw, or line by line. */
export function openText(
  address: Address & { kind: 'file' | 'folder' },
  { source, page = 1, pages = 1 }: { readonly source: boolean; readonly page?: number; readonly pages?: number },
): OpenDocument {
  const facts = { ...NOTHING_SEEN, page, pages }
  return { address, uri: uriOf(address), title: null, folder: dirname(address.place.path), source, facts }
}
