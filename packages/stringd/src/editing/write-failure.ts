import { type Failure, fail } from '@string-os/protocol'
import { isDiskFull } from '../store/disk-full.ts'

/** Why a file could not be written, for the reader. */
export function writeFailure(error: unknown, shown: string): Failure {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === undefined) throw error
  if (code === 'EPERM' && syscall === 'fchown')
    return fail('LOAD_ERROR', `Cannot write ${shown}: its owner could not be kept`, 'Write a new file instead')
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return fail('LOAD_ERROR', `No permission to write ${shown}`, '/exec ls -l shows who may')
  if (isDiskFull(error))
    return fail(
      'LOAD_ERROR',
      `No space left to write ${shown}; the file is as it was`,
      'Make room on the disk and send it again',
    )
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return fail('INVALID_PATH', `A part of the path is not a folder: ${shown}`, '/ls shows what exists')
  if (code === 'ELOOP')
    return fail('INVALID_PATH', `The path changed while it was written: ${shown}`, 'Try again; links are not followed')
  if (code === 'ENAMETOOLONG') return fail('INVALID_PATH', `The name is too long: ${shown}`, 'Give a shorter one')
  return fail('LOAD_ERROR', `Cannot write ${shown}: ${code}`, 'Try again, or another file')
}
