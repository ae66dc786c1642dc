import { join } from 'node:path'
import { type DaemonRecord, isAlive, processStart, readDaemonRecord } from './daemon-record.ts'
import { StartError } from './start-error.ts'
import { removeOrphans } from './store/atomic-file.ts'
import { type DataLock, lockDataDir } from './store/data-lock.ts'
import { setOddFileAside } from './store/odd-file.ts'
import { OpenFolder } from './store/open-folder.ts'
import { ensurePrivateDir } from './store/private-dir.ts'
import { realOr } from './store/real-path.ts'

/** The one database, in the data folder. */
export const DATABASE = 'state.db'

/** The data folder, for this process alone: made when it is not there, cleared of what a killed daemon left. */
export async function takeDataFolder(dataDir: string): Promise<DataLock> {
  const lock = await tryTake(dataDir)
  if (lock !== null) return lock
  throw alreadyServes(dataDir, readDaemonRecord(dataDir))
}

/** Why a port could not be had: when it is the daemon of this very folder that has it, that is the reason. */
export function portTaken(dataDir: string, port: number): StartError {
  const record = readDaemonRecord(dataDir)
  if (record?.port === port && isAlive(record)) return alreadyServes(dataDir, record)
  return new StartError('port-taken', `Port ${port} is taken by another program`)
}

function alreadyServes(dataDir: string, record: DaemonRecord | null): StartError {
  const where = record === null ? '' : ` (pid ${record.pid}, port ${record.port})`
  return new StartError('already-running', `stringd already serves ${dataDir}${where}`)
}

async function tryTake(dataDir: string): Promise<DataLock | null> {
  try {
    ensurePrivateDir(dataDir)
    for (const name of ['id', 'agents.json', 'daemon.json', DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`])
      setOddFileAside(join(dataDir, name))
    const record = readDaemonRecord(dataDir)
    // Whoever removed the folder's id has not ended its daemon.
    const isServed = record !== null && record.pid !== process.pid && record.processStart !== null && isAlive(record)
    const lock = isServed ? null : await lockDataDir(dataDir)
    if (lock !== null) clean(dataDir)
    return lock
  } catch (error) {
    throw startError(dataDir, error)
  }
}

/** What the system refuses during the start is about the data folder: the start touches nothing else. */
export function startError(dataDir: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error instanceof StartError) return error
  return new StartError('data-dir', `Cannot use the data folder ${dataDir}: ${String(error.code)}`)
}

/** What is left of an own pid is of a daemon before: this one has just begun. */
function clean(dataDir: string): void {
  const folder = OpenFolder.open(realOr(dataDir))
  try {
    removeOrphans(folder, (pid) => pid !== process.pid && processStart(pid) !== null)
  } finally {
    folder.close()
  }
}
