import { type Failure, fail } from '@string-os/protocol'
import type { AskedFor } from './source/inspect.ts'
import { fullName, type PackageRecord, sourceKind, spelledSource } from './state/package-record.ts'

/** Why a package cannot have the local name of the one that is there; null where it is the same one. The next step is what was typed. */
export function nameConflict(there: PackageRecord, record: PackageRecord, asked: AskedFor): Failure | null {
  const isFromThere = there.origin === record.origin
  // A name is anybody's: with where it comes from, it tells whose package this is.
  if (isFromThere && fullName(there) === fullName(record)) return null
  const { local } = there
  if (isFromThere)
    return fail(
      'CONFLICT',
      `The name of ${there.type}:${local} has changed from ${fullName(there)} to ${fullName(record)}: that is another package`,
      ...renaming({ ...there, linked: record.linked }),
    )
  // Without it, a package of another name takes the place of nothing.
  const named = record.local === record.name ? [] : ['--as', local]
  const again = (...flags: string[]): string => ['/install', ...flags, ...asked.flags, asSource(asked.source)].join(' ')
  return fail(
    'CONFLICT',
    `${local} is already ${there.type} ${fullName(there)} from ${there.source}; this is ${fullName(record)} from ${record.source}`,
    `${again('--as', 'NAME')} installs it beside, ${again('--replace', ...named)} in its place: it gets none of the variables of the other`,
    ...newerArchive(there, record),
  )
}

/** Each file name of an archive is a source: one with the version in it makes a new one of every version. */
function newerArchive(there: PackageRecord, record: PackageRecord): string[] {
  const areArchives = [there, record].every((each) => sourceKind(each) === 'archive' && each.again.startsWith('/'))
  if (!areArchives || fullName(there) !== fullName(record)) return []
  const { local } = there
  return [
    `A new version of the same? In the place of ${typedSource(there)} it keeps the variables: /install --update ${local}`,
  ]
}

/** What makes a package of the new name out of one whose author has changed it. */
export function renaming(there: PackageRecord): [string, string] {
  const { local, name, linked } = there
  const flags = [...(linked ? ['--link'] : []), ...(local === name ? [] : [`--as ${local}`])]
  return [
    `/uninstall ${local} removes what is installed under the old name`,
    `/install ${[...flags, typedSource(there)].join(' ')} installs it then; it gets none of the variables that were set under the old name`,
  ]
}

function typedSource({ again }: PackageRecord): string {
  return asSource(spelledSource(again))
}

/** A query may hold a key. */
function asSource(source: string): string {
  return /^[\w@%+=:,./#~-]+$/.test(source) ? source : 'SOURCE'
}
