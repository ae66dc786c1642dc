import { stat } from 'node:fs/promises'

/** What allowing a path does, or does not, that its author may not expect; null of a folder. It may be made later, and a file may be meant. */
export async function whatIsOpened(path: string): Promise<string | null> {
  if (path === '/') return '/ opens every file that your user can read; name the folders that are needed'
  try {
    const isFolder = (await stat(path)).isDirectory()
    return isFolder ? null : `${path} is a file: it alone is opened; allow its folder for what is beside it`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return `${path} ${code === 'ENOENT' ? 'does not exist' : `cannot be read: ${code}`}; it is opened once it can be`
  }
}
