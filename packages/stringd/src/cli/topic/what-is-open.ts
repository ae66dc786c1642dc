import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DocumentMeta } from '@string-os/protocol'
import { openingOf } from './prompt.ts'
import { viewOf } from './shell-standing.ts'
import type { Talk } from './talk.ts'

/**
 * What is typed at a prompt is meant for the document that it shows: lines, blocks and actions of another one would be others.
 * Where somebody else has opened another, the prompt is put right, and what is open now is told; else null.
 */
export async function whatElseIsOpen(at: Talk): Promise<string | null> {
  const { topic, document: shown } = at.view
  const { document } = await viewOf(at.client, topic)
  if (isSame(shown, document)) return null
  at.view = { ...at.view, document }
  if (document === null) return '(no document is open here any more; Enter runs this all the same)'
  return `(${openingOf(document, at).place} is open here now; Enter runs this there)`
}

/** The folder of the document that is open, where links and names may start; none where it is no file. */
export function openFolder(document: DocumentMeta | null): readonly string[] {
  return document?.uri.startsWith('file://') === true ? [dirname(fileURLToPath(document.uri))] : []
}

function isSame(shown: DocumentMeta | null, now: DocumentMeta | null): boolean {
  return shown?.uri === now?.uri && shown?.current_block === now?.current_block
}
