import { isUtf8 } from 'node:buffer'
import { constants, copyFileSync, existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { LIMITS, systemReason } from '@string-os/protocol'
import { writeFileAtomic } from '../../store/atomic-file.ts'
import { makeFolders } from '../../store/private-dir.ts'

/** A file as it was read, and where it really is. */
export interface ReadFile {
  readonly path: string
  /** Null: there is none yet. */
  readonly text: string | null
}

export type FileRead = { readonly ok: true; readonly file: ReadFile } | { readonly ok: false; readonly reason: string }

export type FileWritten =
  | { readonly ok: true; readonly backup: string | null }
  | { readonly ok: false; readonly reason: string }

/** Reads a file that is to be edited. A link stays one: what it points to is what is read and written. */
export function readForEdit(named: string): FileRead {
  try {
    if (lstatSync(named, { throwIfNoEntry: false }) === undefined)
      return { ok: true, file: { path: named, text: null } }
    const path = realpathSync(named)
    const stat = statSync(path)
    if (!stat.isFile()) return { ok: false, reason: 'it is no file' }
    if (stat.size > LIMITS.clientConfigBytes)
      return { ok: false, reason: `it has more than ${LIMITS.clientConfigBytes} bytes` }
    const bytes = readFileSync(path)
    return isUtf8(bytes)
      ? { ok: true, file: { path, text: bytes.toString('utf8') } }
      : { ok: false, reason: 'it is not UTF-8 text' }
  } catch (error) {
    return { ok: false, reason: reasonOf(error) }
  }
}

/** Replaces the file as a whole, unless somebody else changed it since; its old content is kept beside it. */
export async function writeEdited({ path, text: before }: ReadFile, text: string): Promise<FileWritten> {
  try {
    if (before === null) {
      makeFolders(dirname(path))
      const isMade = await writeFileAtomic(path, text, {
        mode: 0o666 & ~process.umask(),
        confirm: () => !existsSync(path),
      })
      return isMade ? { ok: true, backup: null } : CHANGED
    }
    const { mode, uid, gid } = statSync(path)
    const backup = keepBeside(path)
    const isWritten = await writeFileAtomic(path, text, {
      mode: mode & 0o7777,
      owner: { uid, gid },
      confirm: () => readFileSync(path, 'utf8') === before,
    })
    return isWritten ? { ok: true, backup } : CHANGED
  } catch (error) {
    return { ok: false, reason: reasonOf(error) }
  }
}

const CHANGED: FileWritten = { ok: false, reason: 'somebody else changed it meanwhile; try again' }

/** Keeps the old file under the first name that is free: no backup is ever overwritten. */
function keepBeside(path: string): string {
  for (let number = 1; ; number += 1) {
    const backup = `${path}.bak${number === 1 ? '' : number}`
    if (existsSync(backup)) continue
    copyFileSync(path, backup, constants.COPYFILE_EXCL)
    return backup
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code === undefined ? message : systemReason(code)
}
