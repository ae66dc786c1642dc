import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { storeReason } from './sqlite/sqlite-reason.ts'

/** Makes a folder that only its owner can enter, whatever the umask; false of one that exists, which is left as it is. */
export function ensurePrivateDir(path: string): boolean {
  const isMade = makeFolders(path, 0o700)
  if (isMade) chmodSync(path, 0o700)
  return isMade
}

/**
 * Makes a folder and those above it; false when it exists. Node's own `recursive` never returns where a file system
 * answers ENOENT in a folder that is there, as /proc does.
 */
export function makeFolders(path: string, mode = 0o777): boolean {
  if (isFolder(path)) return false
  makeFolders(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
    return true
  } catch (error) {
    // Somebody else was faster.
    if (isFolder(path)) return false
    throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

const IN_THE_WAY: readonly string[] = ['ENOTDIR', 'EEXIST']

/** Why a folder could not be made or used, in words. */
export function whyNoFolder(code: string): string {
  return IN_THE_WAY.includes(code) ? 'a file is where a folder has to be' : storeReason(code)
}
