import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { type KernelLock, lockFile } from './kernel-lock.ts'

/** The file that is locked by the daemon that serves a data folder. */
export const LOCK = 'daemon.lock'

export interface DataLock extends KernelLock {
  /** Names this data folder; children carry it as a mark. */
  readonly dataId: string
}

/** Takes the data folder for this process, or answers null when another has it. */
export async function lockDataDir(dataDir: string): Promise<DataLock | null> {
  const dataId = readOrMakeId(join(dataDir, 'id'))
  const lock = await lockFile(join(dataDir, LOCK), LIMITS.dataLockMs)
  return lock === null ? null : { dataId, ...lock }
}

/** Of many processes that start at once, all read the id that the first one linked into place. */
function readOrMakeId(path: string): string {
  const existing = readId(path)
  if (existing !== null) return existing
  const mine = join(dirname(path), `.id.string-tmp-${process.pid}`)
  writeFileSync(mine, randomBytes(16).toString('hex'), { mode: 0o600 })
  try {
    linkSync(mine, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (readId(path) === null) writeFileSync(path, readFileSync(mine), { mode: 0o600 })
  } finally {
    rmSync(mine, { force: true })
  }
  return readFileSync(path, 'utf8')
}

function readId(path: string): string | null {
  try {
    const id = readFileSync(path, 'utf8')
    return /^[0-9a-f]{32}$/.test(id) ? id : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
