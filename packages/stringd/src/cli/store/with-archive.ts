import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { takeDataFolder } from '../../data-folder.ts'
import { StartError } from '../../start-error.ts'
import type { Archive } from '../../store/archive.ts'
import { DATABASE } from '../../store/open-store.ts'
import { StoreRefused } from '../../store/refused.ts'
import { openSqliteArchive } from '../../store/sqlite/archive.ts'
import type { StoreName } from '../../store/store-name.ts'

interface Wanted {
  readonly name: StoreName
  readonly side: 'from' | 'to'
  /** What is to be known about the store beside the copy. */
  readonly onNote: (text: string) => void
}

/** Opens a store that no daemon uses, and keeps them away meanwhile. */
export async function withArchive<T>(wanted: Wanted, use: (archive: Archive) => Promise<T>): Promise<T> {
  if (wanted.name.kind === 'sqlite') return withFolder(wanted, wanted.name.folder, use)
  const { openPostgresArchive } = await import('../../store/postgres/index.ts')
  return closed(await openPostgresArchive(wanted.name.url), use)
}

async function withFolder<T>(
  { side, onNote }: Wanted,
  folder: string,
  use: (archive: Archive) => Promise<T>,
): Promise<T> {
  const path = join(folder, DATABASE)
  if (side === 'from' && !existsSync(path)) throw new StoreRefused(`There is no store in ${folder}: ${path} is missing`)
  const lock = await takeDataFolder(folder).catch((error: unknown) => {
    throw error instanceof StartError && error.reason === 'already-running'
      ? new StoreRefused(`${error.message}: stop it first (string stop)`)
      : error
  })
  try {
    return await closed(openSqliteArchive(path, onNote), use)
  } finally {
    lock.release()
  }
}

async function closed<T>(archive: Archive, use: (archive: Archive) => Promise<T>): Promise<T> {
  try {
    return await use(archive)
  } finally {
    await archive.close()
  }
}
