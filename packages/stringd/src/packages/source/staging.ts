import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { chmod, mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../../store/atomic-file.ts'
import { processExists } from '../../store/process-exists.ts'
import { foldersOf, type PackageFile } from './package-files.ts'

const LEFT = /^\.([A-Za-z0-9_-]+)\.(new|old)-([a-f0-9]+)-(\d+)$/

/** Files that are written together: the disk syncs them together too. */
const AT_ONCE = 16

/** Where a package is made before it takes its place, and where the one before goes. */
export function stagedPath(folder: string, local: string, id: string, part: 'new' | 'old'): string {
  return join(folder, `.${local}.${part}-${id}-${process.pid}`)
}

/** Writes all files of a package into a folder of its own and syncs them. */
export async function stage(folder: string, files: ReadonlyMap<string, PackageFile>): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  const folders = new Set([...files.keys()].flatMap(foldersOf))
  for (const each of [...folders].sort()) await mkdir(join(folder, each), { mode: 0o700 })
  const all = [...files]
  for (let at = 0; at < all.length; at += AT_ONCE) await writeTogether(folder, all.slice(at, at + AT_ONCE))
  for (const each of [...folders, '', '..']) await syncFolder(join(folder, each))
}

/** Takes a folder away, aside first. It is no longer part of anything: what cannot be removed now, `recover` removes later. */
export async function clear(folder: string, aside: string): Promise<void> {
  try {
    if (folder !== aside && existsSync(folder)) renameSync(folder, aside)
    await syncFolder(dirname(folder))
    await rm(aside, { recursive: true, force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}

/** Puts a staged package in its place. Nobody can look between the two renames: they are not interrupted. */
export function swap(staged: string, target: string, old: string): void {
  const replaces = existsSync(target)
  if (replaces) renameSync(target, old)
  try {
    renameSync(staged, target)
  } catch (error) {
    if (replaces) renameSync(old, target)
    throw error
  }
}

/**
 * Finishes or removes what a killed process left: a staged package that is registered takes its place, everything else
 * goes. So the registration alone decides whether an installation happened.
 */
export function recover(folder: string, registeredId: (local: string) => string | null): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const [, local = '', part, id = '', pid] = LEFT.exec(name) ?? []
    if (part === undefined) continue
    const path = join(folder, name)
    const target = join(folder, local)
    const isRegistered = registeredId(local) === id
    if (part === 'new' && isRegistered) swap(path, target, stagedPath(folder, local, id, 'old'))
    else if (isOtherAtWork(Number(pid))) continue
    else rmSync(path, { recursive: true, force: true })
    if (part === 'new' && isRegistered) rmSync(stagedPath(folder, local, id, 'old'), { recursive: true, force: true })
  }
}

/** When one fails, the others have ended too: nothing is written any more. */
async function writeTogether(folder: string, files: readonly (readonly [string, PackageFile])[]): Promise<void> {
  const outcomes = await Promise.allSettled(files.map(([path, file]) => writeSynced(join(folder, path), file)))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

async function writeSynced(path: string, { bytes, mode }: PackageFile): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  // The owner must be able to read it, whatever the mode was; nobody else can enter the folder.
  if (mode !== 0o600) await chmod(path, mode | 0o400)
}

/** A daemon of another data folder on the same home may be at work; of our own, nothing is when this is asked. */
function isOtherAtWork(pid: number): boolean {
  return pid !== process.pid && processExists(pid)
}
