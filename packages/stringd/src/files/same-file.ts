import type { Stats } from 'node:fs'

/** Whether two looks at a path saw one file in one state. A change, a move or another file in its place shows. */
export function isSameFile(a: Stats, b: Stats): boolean {
  return a.mtimeMs === b.mtimeMs && a.size === b.size && a.ino === b.ino && a.dev === b.dev && a.ctimeMs === b.ctimeMs
}
