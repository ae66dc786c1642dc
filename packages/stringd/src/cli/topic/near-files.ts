import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Where a name is, in a folder or in one above it; null where it is in none. */
export async function nearestAbove(folder: string, name: string): Promise<string | null> {
  const path = join(folder, name)
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  if (isThere) return path
  const above = dirname(folder)
  return above === folder ? null : nearestAbove(above, name)
}

/** Empty where there is nothing to read: then nothing is completed from it. */
export async function textNear(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}
