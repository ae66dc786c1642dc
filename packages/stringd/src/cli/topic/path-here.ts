import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'

/** Commands of which the first argument is a file or folder that has to be there. */
const NAMED = /^\/{1,2}(?:open|edit|append|replace|verify|ls)\s+([^\s#@:"'\\-][^\s#"'\\]*)(?=$|[\s#])/

interface Folders {
  /** Where a relative path may start. */
  readonly starts: readonly string[]
  /** What `~` is; null where that is not known. */
  readonly home: string | null
}

/** Whether the file is there that a line of before names, which may have been typed in another folder. What is no path is. */
export function isPathHere(line: string, { starts, home }: Folders): boolean {
  const path = NAMED.exec(line)?.[1]
  // Names of hubs and addresses have no dot or slash, or a colon.
  if (path === undefined || !/[./]/.test(path) || /^[a-z][a-z0-9+-]*:/i.test(path)) return true
  if (path.startsWith('~')) return home === null || existsSync(join(home, path.replace(/^~/, '')))
  return isAbsolute(path) ? existsSync(path) : starts.some((start) => existsSync(join(start, path)))
}
