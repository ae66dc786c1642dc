import { lstatSync, realpathSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'

/** A package on the disk to which the working directory does not lead. */
interface OutsideSource {
  /** What must be open for it to be read. */
  readonly folder: string
  /** The source with its whole path. */
  readonly source: string
}

/** Null of what lies below the working directory, is no path, or stands in no folder. */
export function outsideSource(typed: string, cwd: string): OutsideSource | null {
  const [, mark = '', local = ''] = /^((?:git\+)?(?:file:\/\/)?)(.*)$/is.exec(typed) ?? []
  if (/^[a-z][a-z0-9+.-]*:/i.test(local)) return null
  const [, path = local, ref = ''] =
    realPathOf(resolve(cwd, local)) === null ? (/^([^#]*)(#.*)$/s.exec(local) ?? []) : []
  const whole = resolve(cwd, path)
  const folder = folderOf(whole)
  const isOutside = folder !== null && /^\.\.(?:\/|$)/.test(relative(realPathOf(cwd) ?? cwd, folder))
  return isOutside ? { folder, source: `${mark}${whole}${ref}` } : null
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
