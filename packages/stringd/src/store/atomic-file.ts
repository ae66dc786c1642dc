import { readdirSync, rmSync } from 'node:fs'
import { type FileHandle, open, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { processExists } from './process-exists.ts'

const TEMPORARY = /^\..+\.string-tmp-(\d+)$/

export interface WriteOptions {
  readonly mode?: number
  /** Who the file shall belong to; kept out of it, it is whoever writes. */
  readonly owner?: { readonly uid: number; readonly gid: number }
  /** Asked right before the file is replaced; `false` leaves the old one. */
  readonly confirm?: () => boolean
}

/**
 * Replaces a file as a whole: a temporary file beside it, synced, renamed over it, and the folder synced.
 * After a crash at any moment there is the old file or the new one, never a part. False when `confirm` said no.
 */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): Promise<boolean> {
  const temporary = temporaryPath(path)
  try {
    await writeSynced(temporary, data, options)
    if (options.confirm?.() === false) {
      await unlink(temporary)
      return false
    }
    await rename(temporary, path)
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  }
  await syncFolder(dirname(path))
  return true
}

/** Removes what a killed process left behind in `dir`; a live one's temporary files stay. */
export function removeOrphans(dir: string, isAlive: (pid: number) => boolean = processExists): void {
  for (const name of readdirSync(dir)) {
    const pid = TEMPORARY.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(dir, name), { force: true })
  }
}

/** Whether a name is one of a temporary file, which no listing shows. */
export function isTemporary(name: string): boolean {
  return TEMPORARY.test(name)
}

/** Beside a file, under a name that no listing shows and that is removed when its process is gone. */
export function temporaryPath(path: string): string {
  // A name may have 255 bytes, of which the ending takes some.
  const name = Buffer.from(basename(path))
    .subarray(0, 200)
    .toString('utf8')
    .replace(/\ufffd+$/, '')
  return join(dirname(path), `.${name}.string-tmp-${process.pid}`)
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
