import { lstatSync, readdirSync, renameSync } from 'node:fs'

/** Where something that is no file stands in a state file's place, it is kept aside, so that nothing waits on it. */
export function setOddFileAside(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined || stat.isFile()) return
  renameSync(path, asideName(path))
}

/** A name under which a damaged file is kept; never one that is taken, even when the clock went back. */
export function asideName(path: string): string {
  const name = `${path}${asideEnd(new Date().toISOString())}`
  let free = name
  for (let number = 2; lstatSync(free, { throwIfNoEntry: false }) !== undefined; number += 1) free = `${name}-${number}`
  return free
}

/** A file of a folder that was damaged, and under which name it is kept. */
export interface KeptAside {
  readonly file: string
  readonly keptAs: string
}

/** What was set aside in a folder at that time or later, the last one last; what belongs to a database stands with it. */
export function keptAside(folder: string, since = ''): readonly KeptAside[] {
  const from = asideEnd(since)
  return namesIn(folder)
    .map((name) => ({ name, at: name.indexOf(MARK) }))
    .filter(({ name, at }) => at !== -1 && name.slice(at) >= from && !/-(?:wal|shm)$/.test(name))
    .toSorted((one, other) => (one.name.slice(one.at) < other.name.slice(other.at) ? -1 : 1))
    .map(({ name, at }) => ({ file: name.slice(0, at), keptAs: name }))
}

const MARK = '.damaged-'

function asideEnd(time: string): string {
  return `${MARK}${time.replace(/[:.]/g, '-')}`
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
