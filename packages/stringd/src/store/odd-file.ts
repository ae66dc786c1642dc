import { lstatSync, renameSync } from 'node:fs'

/** Where something that is no file stands in a state file's place, it is kept aside, so that nothing waits on it. */
export function setOddFileAside(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined || stat.isFile()) return
  renameSync(path, asideName(path))
}

/** A name under which a damaged file is kept; never one that is taken, even when the clock went back. */
export function asideName(path: string): string {
  const name = `${path}.damaged-${new Date().toISOString().replace(/[:.]/g, '-')}`
  let free = name
  for (let number = 2; lstatSync(free, { throwIfNoEntry: false }) !== undefined; number += 1) free = `${name}-${number}`
  return free
}
