import type { OwnFolder } from '../../files/workspace.ts'
import type { Installed } from '../packages.ts'
import { sourceKind, wholeSource } from '../state/package-record.ts'

/** Where a topic's own package is, and how to change what has been copied there; null of a linked page. */
export function ownFolder({ record, folder }: Installed): OwnFolder | null {
  if (folder === null) return null
  const { local, type, linked } = record
  if (linked) return { folder, instead: null }
  const source = wholeSource(record)
  const isFolder = sourceKind(record) === 'folder'
  const change = isFolder ? 'change it there' : 'change what that is made of'
  const link = isFolder ? `/install --link ${source}` : '/install --link --replace DIR'
  const instead = `${type}:${local} is an installed copy of ${source}: ${change} and /install --update ${local}; ${link} works in the folder itself`
  return { folder, instead }
}
