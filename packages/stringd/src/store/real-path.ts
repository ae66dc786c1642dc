import { realpathSync } from 'node:fs'

/** One name for what has several: all links followed; of what is not there, its name. */
export function realOr(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    // Not there yet: its name is all there is to know.
    return path
  }
}
