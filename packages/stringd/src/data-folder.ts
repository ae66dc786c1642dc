import { accessSync, chmodSync, constants, lstatSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DaemonRecord, daemonRecordPath, isDaemonAlive, processStart, readDaemonRecord } from './daemon-record.ts'
import { StartError } from './start-error.ts'
import { removeOrphans, temporaryPath } from './store/atomic-file.ts'
import { type DataLock, LOCK, lockDataDir } from './store/data-lock.ts'
import { CannotLock } from './store/kernel-lock.ts'
import { setOddFileAside } from './store/odd-file.ts'
import { OpenFolder } from './store/open-folder.ts'
import { DATABASE } from './store/open-store.ts'
import { OWN_FILES } from './store/own-files.ts'
import { ensurePrivateDir, whyNoFolder } from './store/private-dir.ts'
import { realOr } from './store/real-path.ts'
import { StoreRefused } from './store/refused.ts'

/** The data folder, for this process alone: made when it is not there, cleared of what a killed daemon left. */
export async function takeDataFolder(dataDir: string): Promise<DataLock> {
  const lock = await tryTake(dataDir)
  if (lock !== null) return lock
  throw alreadyServes(dataDir, readDaemonRecord(dataDir))
}

/**
 * From now on nobody is sent to our port, which may be another's in a moment. The record itself stays until all that was
 * started has ended: should we be killed before that, the next daemon knows.
 */
export function recordStopping(dataDir: string): void {
  const record = readDaemonRecord(dataDir)
  if (record?.pid !== process.pid) return
  const path = daemonRecordPath(dataDir)
  const temporary = temporaryPath(path)
  try {
    writeFileSync(temporary, `${JSON.stringify({ ...record, key: null, isStopping: true })}\n`, { mode: 0o600 })
    renameSync(temporary, path)
  } catch {
    // The disk is full or the folder gone. Who asks the port will find nobody there, or notice that it is not us.
    rmSync(temporary, { force: true })
  }
}

/** Why a port could not be had: when it is the daemon of this very folder that has it, that is the reason. */
export function portTaken(dataDir: string, port: number): StartError {
  const record = readDaemonRecord(dataDir)
  if (record?.port === port && isDaemonAlive(record)) return alreadyServes(dataDir, record)
  return new StartError('port-taken', `Port ${port} is taken by another program`)
}

function alreadyServes(dataDir: string, record: DaemonRecord | null): StartError {
  const where = record === null ? '' : ` (pid ${record.pid}, port ${record.port})`
  return new StartError('already-running', `stringd already serves ${dataDir}${where}`)
}

async function tryTake(dataDir: string): Promise<DataLock | null> {
  try {
    ensurePrivateDir(dataDir)
    closeToOthers(dataDir)
    for (const name of ['id', 'agents.json', 'daemon.json', LOCK, DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`])
      setOddFileAside(join(dataDir, name))
    const record = readDaemonRecord(dataDir)
    // Whoever removed the folder's id has not ended its daemon.
    const isServed =
      record !== null && record.pid !== process.pid && record.processStart !== null && isDaemonAlive(record)
    const lock = isServed ? null : await lockDataDir(dataDir)
    if (lock !== null) clean(dataDir)
    return lock
  } catch (error) {
    throw startError(dataDir, error)
  }
}

/** Who can write here runs commands as us: `env` reaches every shell. A folder that was there may have been open to everybody. */
function closeToOthers(dataDir: string): void {
  const { uid, mode } = statSync(dataDir)
  const own = process.getuid?.()
  if (own === undefined) return
  if (uid !== own) throw notOurs(dataDir, 'it belongs to another user')
  for (const name of ['env', 'channels.yaml']) {
    const there = lstatSync(join(dataDir, name), { throwIfNoEntry: false })
    if (there !== undefined && there.uid !== own)
      throw notOurs(dataDir, `${name} in it is of another user: look at it, then remove it or make it yours`)
  }
  for (const name of OWN_FILES) closeFile(join(dataDir, name), own)
  if ((mode & 0o077) === 0) return
  try {
    chmodSync(dataDir, 0o700)
  } catch (error) {
    // A disk that cannot be written is no danger; one on which everybody can write and modes do not count is.
    if ((mode & 0o022) !== 0)
      throw notOurs(dataDir, `others can write there (${String((error as NodeJS.ErrnoException).code)})`)
  }
}

/**
 * A restored backup, or a careless umask, may have opened what only a daemon writes, or closed it to ourselves. What a person writes is
 * theirs to close.
 */
function closeFile(path: string, own: number): void {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there?.isFile() !== true || there.uid !== own || (there.mode & 0o677) === 0o600) return
  try {
    chmodSync(path, 0o600)
  } catch {
    // A disk that cannot be written; string doctor tells of it.
  }
}

function notOurs(dataDir: string, why: string): StartError {
  return new StartError('data-dir', `Cannot use the data folder ${dataDir}: ${why}; STRING_DATA_DIR names another`)
}

/** What the system refuses during the start is about the data folder: the start touches nothing else. */
export function startError(dataDir: string, error: unknown): unknown {
  if (error instanceof StoreRefused) return new StartError('store', error.message)
  if (!(error instanceof Error) || !('code' in error) || error instanceof StartError) return error
  if (error instanceof CannotLock) {
    const why = `its file system cannot lock files (${error.code})`
    return notOurs(dataDir, why)
  }
  const file = 'path' in error && typeof error.path === 'string' && isShutFile(error.path) ? error.path : null
  const what = file === null ? `the data folder ${dataDir}` : `${file} in the data folder`
  return new StartError('data-dir', `Cannot use ${what}: ${whyNoFolder(String(error.code))}`)
}

/** It is there, and this user may not read it: of anything else it is the folder that cannot be used. */
function isShutFile(path: string): boolean {
  try {
    if (!lstatSync(path).isFile()) return false
  } catch {
    // It is not there, or what should hold it is no folder.
    return false
  }
  try {
    accessSync(path, constants.R_OK)
    return false
  } catch {
    return true
  }
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
