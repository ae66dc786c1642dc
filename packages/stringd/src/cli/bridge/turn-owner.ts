import { randomUUID } from 'node:crypto'
import { OWNER_VARIABLE } from '@string-os/bridge/reap'

/** A mark for the turns of this program, below the one that it carries itself: whoever ends us reaches them too. */
export function turnOwner({ [OWNER_VARIABLE]: parent = 'bridge:' }: Readonly<Record<string, string>>): string {
  return `${/[:/]$/.test(parent) ? parent : `${parent}/`}${randomUUID()}/`
}
