import { join, relative } from 'node:path'
import { isInside } from '../../files/workspace.ts'
import { type Address, isSameDocument } from '../../library/address.ts'
import type { SeenInstallation } from '../../session/session.ts'
import type { CommandContext } from '../core/context.ts'

/**
 * What an app topic shows of its app is found by the app's name: where another installation has taken its place, the
 * topic lets go of the paths of the one before. Tells where its open document is now, if it has to be opened anew.
 */
export function followInstallation(context: CommandContext): Address | null {
  const { packages, session } = context
  const { own } = packages
  const before = session.installation
  session.installation = own === null ? null : { id: own.record.id, folder: own.folder, entry: own.record.entry }
  if (before === null || before.id === own?.record.id) return null
  const now = (address: Address): Address | null => (isOf(before, address) ? inOwn(address, before, context) : address)
  const history = session.history.flatMap((address) => now(address) ?? [])
  session.history.splice(0, session.history.length, ...history)
  const open = session.document?.address
  const moved = open === undefined ? null : now(open)
  if (open === undefined || (moved !== null && isSameDocument(open, moved))) return null
  session.document = null
  return moved
}

function isOf({ folder, entry }: SeenInstallation, address: Address): boolean {
  if (address.kind === 'web') return folder === null && address.url === entry
  return address.kind !== 'hub' && folder !== null && isInside(folder, address.place.path)
}

/** The same file in the app as it is installed now; null where it has none. */
function inOwn(address: Address, { folder }: SeenInstallation, { packages, reader }: CommandContext): Address | null {
  const to = packages.own?.folder ?? null
  if ((address.kind !== 'file' && address.kind !== 'folder') || folder === null || to === null) return null
  const place = reader.workspace.locate(join(to, relative(folder, address.place.path)))
  if (!place.ok || !place.exists) return null
  return { ok: true, kind: address.kind, place, block: address.block }
}
