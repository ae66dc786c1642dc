import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Failure, fail } from '@string-os/protocol'
import { FOLDER_DOCUMENTS } from '../../document/parse/file-names.ts'
import type { Installed } from '../packages.ts'

/** Says what to do about a package whose linked folder, or what is opened in it, has been moved or removed; null for all others. */
export function goneLink(installed: Installed): Failure | null {
  const { record, folder } = installed
  const gone = goneFolder(installed)
  if (gone !== null || !record.linked || folder === null || existsSync(join(folder, record.entry))) return gone
  const { local, type, entry } = record
  const other = FOLDER_DOCUMENTS.find((name) => existsSync(join(folder, name)))
  const taken = other === undefined ? '' : `, /install --update ${local} takes ${other} for it`
  return fail(
    'NOT_FOUND',
    `${type}:${local} is linked to ${folder}, whose ${entry} is not there`,
    `Put it back${taken}, /uninstall ${local} removes the link`,
  )
}

/** The same where a new installation finds nothing to open there, either. */
export function goneForGood(installed: Installed): Failure | null {
  const { folder } = installed
  const isOther = folder !== null && FOLDER_DOCUMENTS.some((name) => existsSync(join(folder, name)))
  return isOther ? null : goneLink(installed)
}

/** The same of the folder alone. */
export function goneFolder({ record, folder }: Installed): Failure | null {
  if (!record.linked || folder === null || existsSync(folder)) return null
  const { local, type } = record
  return fail(
    'NOT_FOUND',
    `${type}:${local} is linked to ${folder}, which is not there`,
    `/install --link --replace PATH links the folder where it is now, /uninstall ${local} removes the link`,
  )
}
