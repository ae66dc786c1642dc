import { join, normalize } from 'node:path'
import { type Failure, fail } from '@string-os/protocol'
import { FOLDER_DOCUMENTS } from '../document/parse/file-names.ts'
import { absent, isFolder } from '../files/files.ts'
import { nearName } from '../files/near-name.ts'
import { brokenLink } from '../files/real-path.ts'
import type { Place, Workspace } from '../files/workspace.ts'
import type { Address, Base } from '../library/address.ts'
import { splitBlock } from '../library/target.ts'

/** What stands at `path` or `path#block`. A file whose name holds a `#` wins over the block that the `#` would mean. */
export function pathAddress(
  typed: string,
  locate: (path: string) => Place | Failure,
  workspace: Workspace,
): Address | Failure {
  const whole = locate(typed)
  const { path, block } = splitBlock(typed)
  if (whole.ok ? whole.exists : block === null) return whole.ok ? fileOrFolder(whole, null, workspace) : whole
  if (block === null) return whole.ok ? absent(whole, typed, workspace) : whole
  const place = locate(path)
  if (!place.ok) return place
  return place.exists ? fileOrFolder(place, block, workspace) : absent(place, path, workspace)
}

/** A failure that also says what may be meant, and where was looked when the caller has not said where it is. */
export function withMeant(failure: Failure, typed: string, workspace: Workspace): Failure {
  const lost = failure.code === 'NOT_FOUND' ? workspace.lostStart(typed) : null
  if (lost !== null) return { ...failure, hints: [lost] }
  const places = failure.code === 'NOT_FOUND' ? workspace.lookedIn(typed) : []
  const hints = [...meant(typed, workspace), ...(places.length === 0 ? [] : [`looked in: ${places.join(', ')}`])]
  return { ...failure, hints: [...hints, ...failure.hints] }
}

/** How to type what stands beside the open document under this name, one folder up, or here under one that is nearly the same. */
function meant(typed: string, workspace: Workspace): string[] {
  const own = ofItsOwn(typed, workspace)
  if (own !== null) return [own]
  const place = workspace.elsewhere(typed)
  if (place === null) {
    const above = workspace.above(typed)
    const near = above === null ? nearName(typed, workspace) : workspace.spell(above.path)
    return near === null ? [] : [`Did you mean ${near}?`]
  }
  const bare = normalize(typed)
  const spelling = bare.startsWith('..') ? workspace.spell(place.path) : bare
  return [`Did you mean ${spelling}? It is there, seen from the open document`]
}

/** What is there, and yet is no file of that name: a link that leads nowhere, a file with lines that are written otherwise. */
function ofItsOwn(typed: string, workspace: Workspace): string | null {
  const here = workspace.locate(typed)
  const link = here.ok && !here.exists ? brokenLink(here.path) : null
  if (link !== null)
    return link.isLoop
      ? `${typed} is a link that leads to itself`
      : `${typed} is a link to ${link.target}, which is not there`
  const [, path = ''] = /^(.+):[^:/]*$/s.exec(typed) ?? []
  const file = path === '' ? null : workspace.locate(path)
  return file?.ok && file.exists && !isFolder(file) ? `Lines are written ${path}:L5 or ${path}:L5-L10` : null
}

/** A folder stands for its page, where it has one. */
function fileOrFolder(place: Place, block: string | null, workspace: Workspace): Address {
  if (!isFolder(place)) return { ok: true, kind: 'file', place, block }
  for (const name of FOLDER_DOCUMENTS) {
    const page = workspace.locate(join(place.path, name))
    if (page.ok && page.exists && !isFolder(page)) return { ok: true, kind: 'file', place: page, block, isPage: true }
  }
  return { ok: true, kind: 'folder', place, block }
}

/** An address on the web, perhaps relative to a page's. */
export function webAddress(target: string, base: (Base & { kind: 'web' }) | null): Address | Failure {
  if (!URL.canParse(target, base?.url))
    return fail('INVALID_TARGET', `Not a web address: ${target}`, 'An address looks like https://example.com/page')
  const url = new URL(target, base?.url)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return notOpenable(target)
  const { block } = splitBlock(decodeFragment(url.hash))
  url.hash = ''
  return { ok: true, kind: 'web', url: url.href, from: base?.origin ?? null, block: block === '' ? null : block }
}

function decodeFragment(hash: string): string {
  try {
    return decodeURIComponent(hash)
  } catch {
    // A percent sign that encodes nothing stands for itself.
    return hash
  }
}

export function notOpenable(target: string): Failure {
  return fail(
    'INVALID_TARGET',
    `Cannot open this kind of address: ${target}`,
    '/open takes files, folders, http(s) pages, @shortcuts and #blocks',
  )
}
