import { stat } from 'node:fs/promises'

/** What allowing a path does not do that its author may expect; null of a folder. It may be made later, and a file may be meant. */
export async function whatIsOpened(path: string): Promise<string | null> {
  try {
    const isFolder = (await stat(path)).isDirectory()
    return isFolder ? null : `${path} is a file: it alone is opened; allow its folder for what is beside it`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return `${path} ${code === 'ENOENT' ? 'does not exist' : `cannot be read: ${code}`}; it is opened once it can be`
  }
}
