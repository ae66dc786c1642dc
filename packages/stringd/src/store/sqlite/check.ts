import { accessSync, constants, lstatSync, type Stats, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { count, shownBytes } from '@string-os/protocol'
import { ARCHIVE_TABLES } from '../archive.ts'
import { keepsNoFiles } from '../file-system.ts'
import { bad, doubtful, type Finding, good, unseen } from '../finding.ts'
import { UNFINISHED_COPY } from '../own-marks.ts'
import { RESTORE } from '../restore.ts'
import { SqliteArchive } from './archive.ts'
import { Connection, isDamage, isMistake, isUnreadable } from './connection.ts'
import { hasTables } from './salvage.ts'
import { FILE_VERSION } from './schema.ts'

interface Looked {
  readonly path: string
  /** The process that serves the folder. */
  readonly servedBy: number | null
}

/** Looks at a file and its folder, and changes nothing. While a daemon has it, nobody else asks it anything. */
export async function checkSqlite({ path, servedBy }: Looked): Promise<readonly Finding[]> {
  const folder = dirname(path)
  const there = statSync(folder, { throwIfNoEntry: false })
  if (there === undefined) return [noFolder(folder)]
  if (!there.isDirectory()) return [bad(`${folder} is no folder`, 'STRING_DATA_DIR names another')]
  const file = lstatSync(path, { throwIfNoEntry: false })
  const bytes = sizeOf(path)
  return [
    folderFinding(folder, there),
    diskFinding(folder, bytes),
    ...(file === undefined ? [good(`There is no ${path} yet: the first daemon makes it`)] : await fileFindings()),
  ]

  async function fileFindings(): Promise<readonly Finding[]> {
    if (file?.isFile() !== true)
      return [doubtful(`${path} is no file`, 'the next daemon keeps it aside and makes a new one')]
    const rights = fileFinding(path, file)
    if (rights.state === 'bad') return [rights]
    if (servedBy === null) return [rights, ...(await contentFindings(path))]
    const held = `A daemon has it (pid ${servedBy}): its rows were not checked`
    return [rights, unseen(held, 'string stop; string store check looks at them while it is stopped')]
  }
}

function noFolder(folder: string): Finding {
  let above = dirname(folder)
  while (statSync(above, { throwIfNoEntry: false }) === undefined) above = dirname(above)
  return mayUse(above) && keepsNoFiles(statfsSync(above)) === null
    ? good(`There is no folder ${folder} yet: the first daemon makes it`)
    : bad(`There is no folder ${folder}, and it cannot be made`, 'STRING_DATA_DIR names another')
}

function folderFinding(folder: string, { uid, mode }: Stats): Finding {
  if (uid !== process.getuid?.()) return bad(`${folder} belongs to another user`, 'STRING_DATA_DIR names another')
  if (!mayUse(folder)) return bad(`${folder} cannot be written`, `chmod 700 ${folder}`)
  return (mode & 0o077) === 0
    ? good(`${folder} is open to its owner only`)
    : doubtful(`${folder} is open to others`, `chmod 700 ${folder}; the next daemon does it too`)
}

function fileFinding(path: string, { uid, mode }: Stats): Finding {
  if (uid !== process.getuid?.()) return bad(`${path} belongs to another user`, `chown ${process.getuid?.()} ${path}`)
  if (!mayUse(path, constants.R_OK | constants.W_OK))
    return bad(`${path} cannot be read and written`, `chmod 600 ${path}`)
  return (mode & 0o077) === 0
    ? good(`${path} can be read by its owner only`)
    : doubtful(`${path} can be read by others`, `chmod 600 ${path}; the next daemon does it too`)
}

/** Now and then all of it is written anew, beside the old file. */
function diskFinding(folder: string, bytes: number): Finding {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const text = `It takes ${shownBytes(bytes)}, and ${shownBytes(free)} of the disk are free`
  return free > Math.max(bytes, LEAST_FREE) ? good(text) : doubtful(text, 'make room, at least as much as it takes')
}

const LEAST_FREE = 64 * 1024 * 1024

/** What stands in a file that nobody changes meanwhile. */
export async function contentFindings(path: string): Promise<readonly Finding[]> {
  const connection = new Connection(path, 'look')
  try {
    return await look(path, connection)
  } catch (error) {
    if (!isUnreadable(error) && !isDamage(error) && !isMistake(error)) throw error
    return [damaged(path, connection, error instanceof Error ? error.message : String(error))]
  } finally {
    connection.close()
  }
}

async function look(path: string, connection: Connection): Promise<readonly Finding[]> {
  const version = Number(connection.select(['user_version'], 'FROM pragma_user_version')[0]?.user_version ?? 0)
  const known = `this String knows ${FILE_VERSION}`
  if (version > FILE_VERSION)
    return [bad(`It is of a newer String (version ${version}; ${known})`, 'update String here')]
  const [{ integrity_check: state = '' } = {}] = connection.select(
    ['integrity_check'],
    'FROM pragma_integrity_check(1)',
  )
  const integrity = state === 'ok' ? good('SQLite finds no damage in it') : damaged(path, connection, String(state))
  if (version < FILE_VERSION) {
    const text = `It is of an older String (version ${version}; ${known}): the next daemon brings it up to date`
    return [good(text), integrity]
  }
  return [good(`It has the present version ${version}`), integrity, ...(await rowFindings(path, connection))]
}

async function rowFindings(path: string, connection: Connection): Promise<Finding[]> {
  const archive = new SqliteArchive(path, connection)
  const [text = '', next = ''] = UNFINISHED_COPY.split(': ')
  const found: Finding[] = (await archive.progress()) === null ? [] : [bad(text, next)]
  for (const table of ARCHIVE_TABLES) {
    let [rows, lost] = [0, 0]
    for (let page = await archive.page(table, null); page.next !== null; page = await archive.page(table, page.next)) {
      rows += page.rows.length
      lost += page.damaged
    }
    found.push(
      lost === 0
        ? good(`${table.name}: ${count(rows, 'row')}`)
        : doubtful(
            `${table.name}: ${count(rows, 'row')}, and ${lost} that are not what was stored`,
            `restore a backup, as ${RESTORE} tells, or go on without them: they are never served`,
          ),
    )
  }
  return found
}

function damaged(path: string, connection: Connection, what: string): Finding {
  const otherwise = hasTables(connection)
    ? 'without one, string start saves every row that can be read and keeps this file beside'
    : 'without one, string start keeps this file beside and begins anew, for none of its rows can be read'
  return bad(`${path} is damaged: ${what}`, `restore a backup, as ${RESTORE} tells; ${otherwise}`)
}

function sizeOf(path: string): number {
  const sizes = ['', '-wal'].map((suffix) => statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0)
  return sizes.reduce((one, other) => one + other)
}

function mayUse(path: string, how = constants.W_OK | constants.X_OK): boolean {
  try {
    accessSync(path, how)
    return true
  } catch {
    // It may not be used.
    return false
  }
}
