import { basename, dirname } from 'node:path'
import { removeOrphans } from '../store/atomic-file.ts'
import { OpenFolder } from '../store/open-folder.ts'

/**
 * Changes a file of the workspace in the folder that the guard looked at, made when it is missing: one that was swapped for
 * a link since then is refused, and one that is swapped from now on is no longer asked for.
 */
export async function inFolderOf<T>(
  real: string,
  change: (folder: OpenFolder, name: string) => T | Promise<T>,
): Promise<T> {
  const folder = OpenFolder.make(dirname(real))
  try {
    removeOrphans(folder)
    return await change(folder, basename(real))
  } finally {
    folder.close()
  }
}
