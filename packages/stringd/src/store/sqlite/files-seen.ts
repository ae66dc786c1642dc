import { renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncPath } from './sync-path.ts'

interface FileSeen {
  readonly id: string
  readonly bytes: number
}

/** The files of an open database: itself and its log. */
export type FilesSeen = readonly FileSeen[]

export function lookAtFiles(path: string): FilesSeen {
  return [path, `${path}-wal`].map((name) => {
    const stat = statSync(name, { throwIfNoEntry: false })
    return stat === undefined ? { id: 'none', bytes: 0 } : { id: `${stat.dev}:${stat.ino}`, bytes: stat.size }
  })
}

/** Whether nobody removed, replaced or cut a file meanwhile: while it is open, none of them ever becomes smaller. */
export function areIntact(before: FilesSeen, now: FilesSeen): boolean {
  return now.every(({ id, bytes }, index) => id === before[index]?.id && bytes >= before[index].bytes)
}

/** Puts a synced file in the place of a database. A log that stayed behind would be played into it. */
export function replaceDatabase(path: string, fresh: string): void {
  syncPath(fresh)
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
  renameSync(fresh, path)
  syncPath(dirname(path))
}
