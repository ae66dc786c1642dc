import { closeSync, fsyncSync, openSync } from 'node:fs'

/** A file or a folder is on the disk as it is now. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
