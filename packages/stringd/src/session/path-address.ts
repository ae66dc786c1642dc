import { join, normalize } from 'node:path'
import type { Failure } from '@string-os/protocol'
import { FOLDER_DOCUMENTS } from '../document/file-names.ts'
import { isFolder, notFound } from '../files/files.ts'
import type { Place, Workspace } from '../files/workspace.ts'
import type { Address } from '../library/address.ts'

/** What stands at `path` or `path#block`. A file whose name holds a `#` wins over the block that the `#` would mean. */
export function pathAddress(
  typed: string,
  locate: (path: string) => Place | Failure,
  workspace: Workspace,
): Address | Failure {
  const whole = locate(typed)
  const path = pathOf(typed)
  if (whole.ok ? whole.exists : path === typed) return whole.ok ? fileOrFolder(whole, null, workspace) : whole
  if (path === typed) return notFound(typed)
  const place = locate(path)
  if (!place.ok) return place
  return place.exists ? fileOrFolder(place, typed.slice(path.length + 1), workspace) : notFound(path)
}

/** A target without its block. */
export function pathOf(typed: string): string {
  const hash = typed.lastIndexOf('#')
  return hash <= 0 ? typed : typed.slice(0, hash)
}

/** A failure that also says how to type what stands beside the open document under this name. */
export function withMeant(failure: Failure, typed: string, workspace: Workspace): Failure {
  const place = workspace.elsewhere(typed)
  if (place === null) return failure
  const bare = normalize(typed)
  const spelling = bare.startsWith('..') ? workspace.spell(place.path) : bare
  return { ...failure, hints: [`Did you mean ${spelling}? It is there, seen from the open document`, ...failure.hints] }
}

/** A folder stands for its page, where it has one. */
function fileOrFolder(place: Place, block: string | null, workspace: Workspace): Address {
  if (!isFolder(place)) return { kind: 'file', place, block }
  for (const name of FOLDER_DOCUMENTS) {
    const page = workspace.locate(join(place.path, name))
    if (page.ok && page.exists && !isFolder(page)) return { kind: 'file', place: page, block, isPage: true }
  }
  return { kind: 'folder', place, block }
}
