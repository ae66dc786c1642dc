import { closeSync, openSync, rmSync, truncateSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type Libsql from 'libsql'
import { temporaryPath } from './atomic-file.ts'

export interface KernelLock {
  release(): void
}

/** The system cannot lock files where the folder lies, as some network mounts cannot. */
export class CannotLock extends Error {
  readonly code: string

  constructor(path: string, code: string) {
    super(`No file can be locked beside ${path}: ${code}`)
    this.code = code
  }
}

const PAUSE_MS = 5

/**
 * Takes a file for this process, or answers null when another has it for longer than `waitMs`. It is an exclusive
 * transaction on an empty database: a lock that the kernel gives up with the process, so nothing stale is ever left to
 * judge, on a file that nobody can reach who cannot enter its folder (S37).
 */
export async function lockFile(path: string, waitMs: number): Promise<KernelLock | null> {
  // Loaded when it is needed: the command line seldom does.
  const { default: Database } = await import('libsql')
  makeFile(path)
  const database = new Database(path)
  const lock = await attempt(database, path, waitMs).catch((error: unknown) => {
    database.close()
    throw error
  })
  if (lock !== null) return lock
  database.close()
  if (!canLock(Database, temporaryPath(path))) throw new CannotLock(path, 'ENOLCK')
  return null
}

/** Two that ask in the same moment can both be refused, so it is tried again; pauses differ, so that one is first. */
async function attempt(database: Libsql.Database, path: string, waitMs: number): Promise<KernelLock | null> {
  const deadline = performance.now() + waitMs
  for (;;) {
    const outcome = begin(database)
    if (outcome === null) return { release: () => void database.close() }
    if (outcome.startsWith('SQLITE_IOERR')) throw new CannotLock(path, outcome)
    // Whatever somebody wrote there: it is for locking alone. The file itself stays, others may hold it.
    if (outcome === 'SQLITE_NOTADB' || outcome === 'SQLITE_CORRUPT') truncateSync(path)
    if (performance.now() >= deadline) return null
    await sleep(PAUSE_MS * (1 + 3 * Math.random()))
  }
}

/** Null when it is ours now, else the code of what stands against it; anything unexpected is thrown. */
function begin(database: Libsql.Database): string | null {
  try {
    // Nothing is ever written, so no journal needs to lie beside it.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (/^SQLITE_(?:BUSY|IOERR|NOTADB|CORRUPT)/.test(code)) return code
    throw error
  }
}

/** Some systems say that a file is taken when they mean that they have no locks: then one of our own is taken as well. */
function canLock(Database: typeof Libsql, path: string): boolean {
  makeFile(path)
  const database = new Database(path)
  try {
    return begin(database) === null
  } finally {
    database.close()
    rmSync(path, { force: true })
  }
}

/** For its owner alone, whatever the umask. It is not opened when it exists: closing it would end a lock that we hold. */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
