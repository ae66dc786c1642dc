import { lstatSync, renameSync } from 'node:fs'

/** Where something that is no file stands in a state file's place, it is kept aside, so that nothing waits on it. */
export function setOddFileAside(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined || stat.isFile()) return
  renameSync(path, asideName(path))
}

/** The name under which a damaged file is kept. */
export function asideName(path: string): string {
  return `${path}.damaged-${new Date().toISOString().replace(/[:.]/g, '-')}`
}
