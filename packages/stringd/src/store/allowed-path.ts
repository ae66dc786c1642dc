import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** What no agent may enter, whatever is allowed. */
export interface Closed {
  readonly dataDir: string
  readonly isHome: (path: string) => boolean
}

/** What allowing a path does not do that its author may expect; null of a folder. It may be made later, and a file may be meant. */
export async function whatIsOpened(path: string, closed: Closed): Promise<string | null> {
  try {
    if (await staysClosed(path, closed)) return `${path} stays closed to every agent: it holds what String manages`
    const isFolder = (await stat(path)).isDirectory()
    return isFolder ? null : `${path} is a file: it alone is opened; allow its folder for what is beside it`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return `${path} ${code === 'ENOENT' ? 'does not exist' : `cannot be read: ${code}`}; it is opened once it can be`
  }
}

async function staysClosed(path: string, { dataDir, isHome }: Closed): Promise<boolean> {
  const [real, data] = await Promise.all([path, dataDir].map((each) => realpath(each)))
  if (real === undefined || data === undefined) return false
  return join(real, '/').startsWith(join(data, '/')) || (basename(real) === '.string' && isHome(dirname(real)))
}
