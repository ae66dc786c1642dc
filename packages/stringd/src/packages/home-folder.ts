import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeOrphans } from '../store/atomic-file.ts'
import { ensurePrivateDir } from '../store/private-dir.ts'

/** `<home>/.string`: what belongs to an agent's workspace and is changed by commands only. */
export function homeFolder(home: string): string {
  return join(home, '.string')
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
  removeOrphans(folder)
}
