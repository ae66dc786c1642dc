import { type Failure, fail } from '@string-os/protocol'
import { absent, isFolder, notFound } from '../files/files.ts'
import { nearName } from '../files/near-name.ts'
import { isBare, type Place, type Workspace } from '../files/workspace.ts'
import type { ShownLink } from '../library/address.ts'
import { splitBlock, splitLineRange } from '../library/target.ts'
import type { Reader } from '../reading/reader.ts'
import type { Session } from '../session/session.ts'

/** What part of a file is meant; lines are counted from 1, both ends belong to it. */
export type EditPart =
  | { readonly kind: 'whole' }
  | { readonly kind: 'block'; readonly id: string }
  | { readonly kind: 'lines'; readonly from: number; readonly to: number }

export interface EditTarget {
  readonly ok: true
  readonly place: Place
  readonly part: EditPart
  /** The target as messages show it: as it was typed where that says which file it is, else with the path that is meant. */
  readonly shown: string
  /** The link of the open document that was typed. */
  readonly link?: ShownLink
  /** Where this one does not exist: why, or how to type a file that does and may be meant. */
  readonly instead?: () => string | null
}

export interface TargetScope {
  readonly workspace: Workspace
  readonly session: Session
  readonly reader: Reader
  /** What a path means that no link has. */
  readonly locate: (path: string) => Place | Failure
}

const WHOLE: EditPart = { kind: 'whole' }

/**
 * `PATH`, `PATH#block`, `PATH:L5-L10`, or `#block` and `:L5` of the open document. A link that the open document shows
 * comes first, if its file exists; then a file of that very name.
 */
export async function findEditTarget(typed: string, scope: TargetScope): Promise<EditTarget | Failure> {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(typed))
    return fail('INVALID_TARGET', `Only files can be edited: ${typed}`, '/write PATH makes a file of your own')
  const { path, part } = splitPart(typed)
  const linked = path === '' ? null : await ofLink(typed, WHOLE, '', scope)
  if (linked !== null) return linked
  const whole = scope.locate(typed)
  if (whole.ok && whole.exists) return asFile(whole, WHOLE, shownAs(typed, '', whole, scope))
  if (part.kind === 'whole') return whole.ok ? asNew(typed, whole, scope) : whole
  const suffix = typed.slice(path.length)
  if (path === '') return ofCurrent(part, suffix, scope)
  const target = await ofLink(path, part, suffix, scope)
  if (target !== null) return target
  const place = scope.locate(path)
  if (!place.ok) return place
  return place.exists ? asFile(place, part, shownAs(path, suffix, place, scope)) : missing(asNew(path, place, scope))
}

/** The part that a target names at its end: no block has a colon. What has a blank after its `#` is a name, as `a #1 b.md` is. */
function splitPart(typed: string): { path: string; part: EditPart } {
  const lines = splitLineRange(typed)
  if (lines !== null) return { path: lines.path, part: { kind: 'lines', ...lines } }
  const { path, block } = splitBlock(typed)
  return block !== null && /^\S+$/.test(block)
    ? { path, part: { kind: 'block', id: block } }
    : { path: typed, part: WHOLE }
}

/** Says that a file is not there, what may be meant, and what to type next. */
export function missing({ shown, instead }: EditTarget, next = '/ls shows what exists'): Failure {
  const { code, system } = notFound(shown)
  const other = instead?.() ?? null
  return fail(code, system, ...(other === null ? [] : [other]), next)
}

async function ofLink(
  typed: string,
  part: EditPart,
  suffix: string,
  { reader, workspace }: TargetScope,
): Promise<EditTarget | Failure | null> {
  const address = await reader.link(typed)
  if (!address?.ok || address.kind !== 'file' || address.isPage) return null
  const place = workspace.admit(address.place.path, typed)
  if (!place.ok) return place
  const { block, link } = address
  const end = block === null ? suffix : `#${block}${suffix}`
  const target = asFile(
    place,
    block === null ? part : { kind: 'block', id: block },
    workspace.visible(place.path) + end,
  )
  return target.ok && link !== undefined ? { ...target, link } : target
}

function ofCurrent(part: EditPart, suffix: string, scope: TargetScope): EditTarget | Failure {
  const { session, reader, workspace } = scope
  const { document } = session
  if (document === null) return fail('NO_DOCUMENT', 'No document is open in this topic', `Name the file: PATH${suffix}`)
  const { address } = document
  if (address.kind !== 'file')
    return fail(
      'INVALID_TARGET',
      `Only files can be edited: ${reader.show(address)}`,
      'Name a file: PATH#block, PATH:L5',
    )
  const place = workspace.locate(address.place.path)
  if (!place.ok) return place
  const name = reader.nameInPackage(place.path) ?? workspace.visible(place.path)
  return place.exists ? asFile(place, part, `${name}${suffix}`) : absent(place, name, workspace)
}

/**
 * A bare name may mean a file anywhere, so the answer says which; every other spelling says it itself. In an app, where
 * what is read by such a path belongs to the app, what is changed elsewhere is named whole.
 */
function shownAs(path: string, suffix: string, place: Place, { workspace, reader }: TargetScope): string {
  const isRelative = isBare(path) || path.startsWith('.')
  if (reader.own !== null && isRelative && reader.nameInPackage(place.path) === null)
    return `${workspace.whole(place.path)}${suffix}`
  return `${isBare(path) ? workspace.visible(place.path) : path}${suffix}`
}

function asNew(path: string, place: Place, scope: TargetScope): EditTarget {
  const { workspace } = scope
  const target = { ok: true, place, part: WHOLE, shown: shownAs(path, '', place, scope) } as const
  const other = workspace.elsewhere(path)
  const instead = (): string | null => {
    const near = other === null ? nearName(path, workspace) : workspace.spell(other.path)
    return workspace.lostStart(path) ?? (near === null ? null : `Did you mean ${near}?`)
  }
  return { ...target, instead }
}

function asFile(place: Place, part: EditPart, shown: string): EditTarget | Failure {
  return isFolder(place)
    ? fail('INVALID_TARGET', `${shown} is a folder`, `/ls ${shown} lists it`)
    : { ok: true, place, part, shown }
}
