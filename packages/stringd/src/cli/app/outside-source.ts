import { randomBytes } from 'node:crypto'
import { lstatSync, realpathSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'

/** A package on the disk to which the working directory does not lead. */
export interface OutsideSource {
  /** What must be open for it to be read. */
  readonly folder: string
  /** The source as its whole path. */
  readonly source: string
  /** A topic of its own, to which alone the folder is open, and only until it is closed. */
  readonly topic: string
}

/** Null of what lies below the working directory, is no path, or stands in no folder. */
export function outsideSource(typed: string, cwd: string): OutsideSource | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(typed)) return null
  const [, path = typed, ref = ''] =
    realPathOf(resolve(cwd, typed)) === null ? (/^([^#]*)(#.*)$/s.exec(typed) ?? []) : []
  const whole = resolve(cwd, path)
  const folder = folderOf(whole)
  const isOutside = folder !== null && /^\.\.(?:\/|$)/.test(relative(realPathOf(cwd) ?? cwd, folder))
  return isOutside ? { folder, source: `${whole}${ref}`, topic: `install-${randomBytes(6).toString('hex')}` } : null
}

/** Of a folder itself; of what is not there the one that would hold it, in which it is then missed. */
function folderOf(path: string): string | null {
  const real = realPathOf(path)
  if (real === null) return realPathOf(dirname(path))
  return lstatSync(real).isDirectory() ? real : dirname(real)
}

function realPathOf(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    // Whoever reads it says why it cannot be read.
    return null
  }
}
