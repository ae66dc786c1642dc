import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Whether a shell with this PATH would find a program of this name. */
export function isProgramOn(path: string, name: string): boolean {
  return path.split(delimiter).some((folder) => folder !== '' && isProgram(join(folder, name)))
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // Not there, or not to be run.
    return false
  }
}
