import { existsSync } from 'node:fs'
import { type Failure, fail } from '@string-os/protocol'
import type { Installed } from '../packages.ts'

/** Says what to do about a package whose linked folder has been moved or removed; null for all others. */
export function goneLink({ record, folder }: Installed): Failure | null {
  if (!record.linked || folder === null || existsSync(folder)) return null
  const { local, type } = record
  return fail(
    'NOT_FOUND',
    `${type}:${local} is linked to ${folder}, which is not there`,
    `/install --link --replace PATH links the folder where it is now, /uninstall ${local} removes the link`,
  )
}
