import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeOrphans } from '../../store/atomic-file.ts'
import { OpenFolder } from '../../store/open-folder.ts'
import { ensurePrivateDir } from '../../store/private-dir.ts'
import { realOr } from '../../store/real-path.ts'

/**
 * Where packages and variables of a home are kept: in the data folder, never in the home. A home may be a project that came
 * from elsewhere, and what it brings along is not what was installed and set here.
 */
export class HomeFolders {
  readonly #dataDir: string

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  /** By its real path, so that agents that share a home share this too. */
  of(home: string): string {
    return join(this.#dataDir, 'homes', keyOf(realOr(home)))
  }

  /** Makes a folder below it. */
  ensure(home: string, below = ''): void {
    const root = this.of(home)
    ensurePrivateDir(root)
    // For people who look for it: the name of the folder tells nothing.
    writeFileSync(join(root, 'home'), `${home}\n`, { mode: 0o600 })
    const path = join(root, below)
    ensurePrivateDir(path)
    const folder = OpenFolder.open(realOr(path))
    try {
      removeOrphans(folder)
    } finally {
      folder.close()
    }
  }
}

/** A name for a text that can be a folder. */
export function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24)
}
