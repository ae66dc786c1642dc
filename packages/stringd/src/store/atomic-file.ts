import { readdirSync, rmSync } from 'node:fs'
import { type FileHandle, open, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { OpenFolder } from './open-folder.ts'
import { processExists } from './process-exists.ts'
import { realOr } from './real-path.ts'

const TEMPORARY = /^\..+\.string-tmp-(\d+)$/

export interface WriteOptions {
  readonly mode?: number
  /** Who the file shall belong to; kept out of it, it is whoever writes. */
  readonly owner?: { readonly uid: number; readonly gid: number }
  /** Asked right before the file is replaced; `false` leaves the old one. */
  readonly confirm?: () => boolean
}

/** Replaces a file as a whole, in the folder that its path leads to now. False when `confirm` said no. */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): Promise<boolean> {
  const folder = OpenFolder.open(realOr(dirname(path)))
  try {
    return await writeInFolder(folder, basename(path), data, options)
  } finally {
    folder.close()
  }
}

/**
 * Replaces a file of an open folder: a temporary file beside it, synced, renamed over it, and the folder synced.
 * After a crash at any moment there is the old file or the new one, never a part.
 */
export async function writeInFolder(
  folder: OpenFolder,
  name: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): Promise<boolean> {
  const temporary = folder.at(temporaryName(name))
  try {
    await writeSynced(temporary, data, options)
    if (options.confirm?.() === false) {
      await unlink(temporary)
      return false
    }
    await rename(temporary, folder.at(name))
    folder.sync()
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw named(error, join(folder.path, name))
  }
  return true
}

/** With the name of the file: the system was given a descriptor, which tells nobody where. */
function named(error: unknown, path: string): unknown {
  return error instanceof Error && 'code' in error ? Object.assign(error, { path }) : error
}

/** Removes what a killed process left behind in a folder; a live one's temporary files stay. */
export function removeOrphans(folder: OpenFolder, isAlive: (pid: number) => boolean = processExists): void {
  for (const name of readdirSync(folder.at('.'))) {
    const pid = TEMPORARY.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(folder.at(name), { force: true })
  }
}

/** Whether a name is one of a temporary file, which no listing shows. */
export function isTemporary(name: string): boolean {
  return TEMPORARY.test(name)
}

/** Beside a file, under a name that no listing shows and that is removed when its process is gone. */
export function temporaryPath(path: string): string {
  return join(dirname(path), temporaryName(basename(path)))
}

function temporaryName(name: string): string {
  // A name may have 255 bytes, of which the ending takes some.
  const beginning = Buffer.from(name)
    .subarray(0, 200)
    .toString('utf8')
    .replace(/\ufffd+$/, '')
  return `.${beginning}.string-tmp-${process.pid}`
}

async function writeSynced(
  path: string,
  data: string | Uint8Array,
  { mode = 0o600, owner }: WriteOptions,
): Promise<void> {
  const file = await openExclusive(path, 0o600)
  try {
    if (owner !== undefined) await file.chown(owner.uid, owner.gid)
    await file.chmod(mode)
    await file.writeFile(data)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function openExclusive(path: string, mode: number): Promise<FileHandle> {
  try {
    return await open(path, 'wx', mode)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    // A killed process with our pid left it: ours are written one at a time.
    await unlink(path)
    return open(path, 'wx', mode)
  }
}

/** What was made, renamed or removed in a folder is on the disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
