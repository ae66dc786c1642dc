import { dirname, sep } from 'node:path'
import { systemReason } from '@string-os/protocol'
import { isDiskFull } from '../../store/disk-full.ts'
import { realOr } from '../../store/real-path.ts'
import { viewStore } from '../../store/view-store.ts'
import type { Services } from '../route.ts'

interface FileTrouble {
  readonly status: 500 | 503 | 507
  readonly reason: string
}

type Where = Pick<Services, 'store' | 'dataDir'>

/** What is answered when a file, or a store that is one, failed under a request; null when something else did. */
export function fileTrouble(error: unknown, { store, dataDir }: Where): FileTrouble | null {
  if (!(error instanceof Error && 'code' in error)) return null
  const { code, path } = error as NodeJS.ErrnoException
  // A store that is a file has no path in its errors.
  if (isDiskFull(error)) {
    const where = dirname(path ?? viewStore(store).where)
    return { status: 507, reason: `No space is left on the disk, at ${where}; nothing was stored` }
  }
  const isOfData = path === undefined ? String(code).startsWith('SQLITE_') : isBelow(path, dataDir)
  if (isOfData) return { status: 503, reason: 'The data folder cannot be written; nothing was stored' }
  if (path === undefined) return null
  return { status: 500, reason: `Cannot use ${path}: ${systemReason(String(code))}` }
}

/** What an error names may be the folder as it was given, or as its links lead. */
function isBelow(path: string, folder: string): boolean {
  return [folder, realOr(folder)].some((each) => path === each || path.startsWith(each + sep))
}
