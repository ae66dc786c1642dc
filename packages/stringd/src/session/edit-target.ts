import { type Failure, fail } from '@string-os/protocol'
import { isFolder, notFound } from '../files/files.ts'
import type { Place, Workspace } from '../files/workspace.ts'
import type { Reader } from './reader.ts'
import type { Session } from './session.ts'

/** What part of a file is meant; lines are counted from 1, both ends belong to it. */
export type EditPart =
  | { readonly kind: 'whole' }
  | { readonly kind: 'block'; readonly id: string }
  | { readonly kind: 'lines'; readonly from: number; readonly to: number }

export interface EditTarget {
  readonly ok: true
  readonly place: Place
  readonly part: EditPart
  /** The target as messages show it. */
  readonly shown: string
}

const PART = /^(.*?)(?:#([^#\s]+)|:L(\d{1,9})(?:-L?(\d{1,9}))?)$/s

/** `PATH`, `PATH#block`, `PATH:L5-L10`, or `#block` and `:L5` of the open document. A file of that very name wins. */
export function findEditTarget(
  typed: string,
  scope: { workspace: Workspace; session: Session; reader: Reader },
): EditTarget | Failure {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(typed))
    return fail('INVALID_TARGET', `Only files can be edited: ${typed}`, '/write PATH makes a file of your own')
  const whole = scope.workspace.locate(typed)
  if (whole.ok && whole.exists) return asFile(whole, { kind: 'whole' }, typed)
  const [, path = '', block, from, to = from] = PART.exec(typed) ?? []
  if (block === undefined && from === undefined) return whole.ok ? asFile(whole, { kind: 'whole' }, typed) : whole
  const part: EditPart =
    block === undefined ? { kind: 'lines', from: Number(from), to: Number(to) } : { kind: 'block', id: block }
  if (path === '') return ofCurrent(part, typed, scope)
  const place = scope.workspace.locate(path)
  if (!place.ok) return place
  return place.exists ? asFile(place, part, typed) : notFound(path)
}

function ofCurrent(
  part: EditPart,
  typed: string,
  { session, reader, workspace }: { workspace: Workspace; session: Session; reader: Reader },
): EditTarget | Failure {
  const { document } = session
  if (document === null) return fail('NO_DOCUMENT', 'No document is open in this topic', `Name the file: PATH${typed}`)
  const { address } = document
  if (address.kind !== 'file')
    return fail(
      'INVALID_TARGET',
      `Only files can be edited: ${reader.show(address)}`,
      'Name a file: PATH#block, PATH:L5',
    )
  const place = workspace.locate(address.place.path)
  if (!place.ok) return place
  const name = workspace.show(place.path)
  return place.exists ? asFile(place, part, `${name}${typed}`) : notFound(name)
}

function asFile(place: Place, part: EditPart, shown: string): EditTarget | Failure {
  return isFolder(place)
    ? fail('INVALID_TARGET', `${shown} is a folder`, `/ls ${shown} lists it`)
    : { ok: true, place, part, shown }
}
