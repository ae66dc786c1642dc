import { join } from 'node:path'
import { type KeptAside, keptAside } from '../store/odd-file.ts'
import { RESTORE } from '../store/restore.ts'

/** Of a file of the data folder that was found damaged, where it is, and what to type. */
export function asideText(dataDir: string, { file, keptAs }: KeptAside): string {
  return `${join(dataDir, file)} was damaged and is kept as ${keptAs}; string logs --failed tells what was lost`
}

/** Those that were found since then: what was in them may be lost, and the daemon goes on without it. */
export function damagedSince(dataDir: string, since: string): readonly string[] {
  return keptAside(dataDir, since).map(
    (kept) => `${asideText(dataDir, kept)}; ${RESTORE} tells how a backup takes its place`,
  )
}
