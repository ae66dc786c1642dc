import { realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeOrphans } from '../store/atomic-file.ts'
import { ensurePrivateDir } from '../store/private-dir.ts'

/** `<home>/.string`: what belongs to an agent's workspace and is changed by commands only. */
export function homeFolder(home: string): string {
  return join(home, '.string')
}

/** One name for what has several: two agents may live in one folder by different paths. */
export function realOr(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    // Not there yet: its name is all there is to know.
    return path
  }
}

/** Makes a folder below it; a home may be a project folder, so nothing in it is for version control. */
export function ensureHomeFolder(home: string, below = ''): void {
  const root = homeFolder(home)
  ensurePrivateDir(root)
  try {
    writeFileSync(join(root, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const folder = join(root, below)
  ensurePrivateDir(folder)
  removeOrphans(folder, isRunning)
}

/** Whether a process is there; one of another user counts. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
