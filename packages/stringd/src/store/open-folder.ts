import { closeSync, constants, fchmodSync, fsyncSync, lstatSync, mkdirSync, openSync, readlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants

/** A folder that is held: what is done in it is done there, whatever its path leads to by now. */
export class OpenFolder {
  /** Where it was when it was opened. */
  readonly path: string
  readonly #descriptor: number

  private constructor(path: string, descriptor: number) {
    this.path = path
    this.#descriptor = descriptor
  }

  /** Opens a folder by its real path, and no other: a link anywhere in the path is `ELOOP`. */
  static open(real: string): OpenFolder {
    const descriptor = openSync(real, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    if (process.platform !== 'linux' || readlinkSync(`/proc/self/fd/${descriptor}`) === real)
      return new OpenFolder(real, descriptor)
    closeSync(descriptor)
    throw Object.assign(new Error(`${real} is a link now`), { code: 'ELOOP' })
  }

  /** The same, and makes what is missing of it. A folder above it that is swapped for a link meanwhile is not followed. */
  static make(real: string, mode = 0o777): OpenFolder {
    if (isThere(real) || dirname(real) === real) return OpenFolder.open(real)
    const parent = OpenFolder.make(dirname(real), mode)
    try {
      return parent.below(basename(real), mode)
    } finally {
      parent.close()
    }
  }

  /** A folder in this one, made when it is missing. A link is `ELOOP`, or `ENOTDIR`. */
  below(name: string, mode = 0o777): OpenFolder {
    const isNew = make(this.at(name), mode)
    const folder = new OpenFolder(join(this.path, name), openSync(this.at(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
    // Whatever the umask: a private folder is for its owner.
    if (isNew && mode === 0o700) fchmodSync(folder.#descriptor, mode)
    return folder
  }

  /** The path under which the system finds what has this name in the folder; systems other than Linux have only the real one. */
  at(name: string): string {
    return process.platform === 'linux' ? `/proc/self/fd/${this.#descriptor}/${name}` : join(this.path, name)
  }

  /** What was made, renamed or removed in it is on the disk. */
  sync(): void {
    fsyncSync(this.#descriptor)
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Whether it was missing. */
function make(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}
