import { closeSync, linkSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Finding } from '../finding.ts'
import { contentFindings } from './check.ts'
import { Connection } from './connection.ts'
import { syncPath } from './sync-path.ts'

export interface Backup {
  readonly bytes: number
  /** What a look at the copy found; where something is bad, there is no copy. */
  readonly findings: readonly Finding[]
}

/**
 * Copies a file as it stands at one moment, also while a daemon writes it. The copy appears under its name when it is whole,
 * on the disk and looked at, and takes the place of nothing.
 */
export async function backupSqlite(path: string, to: string): Promise<Backup> {
  const part = `${to}.part-${process.pid}`
  // Empty, so that SQLite accepts it, and for its owner only from the beginning.
  closeSync(openSync(part, 'wx', 0o600))
  try {
    vacuumInto(path, part)
    const findings = await contentFindings(part)
    if (findings.some(({ state }) => state === 'bad')) return { bytes: 0, findings }
    syncPath(part)
    // Unlike a rename, a link replaces nothing that came to be there meanwhile.
    linkSync(part, to)
    syncPath(dirname(to))
    return { bytes: statSync(to).size, findings }
  } finally {
    for (const suffix of ['', '-wal', '-shm']) rmSync(part + suffix, { force: true })
  }
}

function vacuumInto(path: string, part: string): void {
  const connection = new Connection(path, 'copy')
  try {
    connection.run('VACUUM INTO ?', part)
  } finally {
    connection.close()
  }
}
