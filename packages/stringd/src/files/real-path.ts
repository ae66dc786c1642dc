import { readlinkSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { LIMITS } from '@string-os/protocol'

/** How a path looks, links followed; null where nothing is. */
export function look(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    // A link to itself, or a folder that is closed to us: nothing that could be meant.
    return null
  }
}

/** The real path; of what does not exist, the real path of the nearest folder that does, and the rest as it stands. */
export function realPath(path: string, links = 0): { real: string; exists: boolean } {
  try {
    return { real: realpathSync.native(path), exists: true }
  } catch {
    // Absent, a link to nothing or to itself, or not ours to look into: where it would be is what counts.
    const target = links < LIMITS.linksFollowed ? linkTarget(path) : null
    if (target !== null) return { real: realPath(resolve(dirname(path), target), links + 1).real, exists: false }
    const parent = dirname(path)
    return { real: parent === path ? path : join(realPath(parent, links).real, basename(path)), exists: false }
  }
}

/** What a link that leads to nothing leads to; null for what is no link. */
export function brokenLink(path: string): { readonly target: string; readonly isLoop: boolean } | null {
  const target = linkTarget(path)
  if (target === null) return null
  try {
    statSync(path)
    return null
  } catch (error) {
    return { target, isLoop: (error as NodeJS.ErrnoException).code === 'ELOOP' }
  }
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    // Not a link.
    return null
  }
}
