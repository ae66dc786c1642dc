import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Finding } from './finding.ts'

/** Why a file may not be read: one of its folders lets nobody in, else it is the file itself. */
export async function closed(path: string): Promise<Pick<Finding, 'message' | 'fix'>> {
  const message = `${path} may not be read`
  const folder = await closedFolder(dirname(path))
  if (folder === null) return { message, fix: await allowing('u+r', path) }
  return { message: `${message}: the folder ${folder} lets nobody in`, fix: await allowing('u+x', folder) }
}

/** The topmost: what is below it cannot be looked at. */
async function closedFolder(folder: string): Promise<string | null> {
  const above = dirname(folder) === folder ? null : await closedFolder(dirname(folder))
  if (above !== null) return above
  return access(folder, constants.X_OK).then(
    () => null,
    (error: NodeJS.ErrnoException) => (error.code === 'EACCES' ? folder : null),
  )
}

/** Only its owner can change its rights. */
async function allowing(right: string, path: string): Promise<string> {
  const { uid } = await stat(path).catch(() => ({ uid: undefined }))
  const isOther = uid !== undefined && uid !== process.getuid?.()
  return isOther ? `It belongs to another user: ls -ld ${path} shows to whom` : `Allow it with: chmod ${right} ${path}`
}
