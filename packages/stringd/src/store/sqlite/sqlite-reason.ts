import { systemReason } from '@string-os/protocol'

/** Before the number of a code that the driver has no name for. */
export const NUMBERED = 'UNKNOWN_SQLITE_ERROR_'

/** What SQLite's primary codes mean to whoever has the file. */
const REASONS: ReadonlyMap<number, readonly [string, string]> = new Map([
  [3, ['SQLITE_PERM', 'no permission']],
  [5, ['SQLITE_BUSY', 'another program uses its database']],
  [6, ['SQLITE_LOCKED', 'another program uses its database']],
  [7, ['SQLITE_NOMEM', 'no memory is left']],
  [8, ['SQLITE_READONLY', 'its database can only be read']],
  [10, ['SQLITE_IOERR', 'the disk failed']],
  [11, ['SQLITE_CORRUPT', 'its database is damaged']],
  [13, ['SQLITE_FULL', 'no space is left on the disk']],
  [14, ['SQLITE_CANTOPEN', 'its database cannot be opened']],
  [22, ['SQLITE_NOLFS', 'its disk has no room for large files']],
  [23, ['SQLITE_AUTH', 'no permission']],
  [26, ['SQLITE_NOTADB', 'its database is damaged']],
])

/** Why a store could not be used, in words, with the code of the system or of SQLite for whoever looks that up. */
export function storeReason(code: string): string {
  if (!code.startsWith('SQLITE_') && !code.startsWith(NUMBERED)) return systemReason(code)
  // The lowest byte of a number is the primary code, of which the rest is a kind.
  const primary = Number(code.slice(NUMBERED.length)) & 0xff
  const named = [...REASONS.values()].find(([name]) => code === name || code.startsWith(`${name}_`))
  const [name, words] = named ?? REASONS.get(primary) ?? [code, 'its database cannot be used']
  return `${words} (${named === undefined ? name : code})`
}
