import { constants } from 'node:fs'
import { lstat, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { LIMITS, shownBytes } from '@string-os/protocol'
import { keepsNoFiles } from '../store/file-system.ts'
import { DATABASE } from '../store/open-store.ts'
import { OWN_FILES } from '../store/own-files.ts'
import type { StoreName } from '../store/store-name.ts'
import { type Check, mayUse, type Seen, seenFail, seenOk, seenWarn, shutFile } from './check.ts'
import { shellWord } from './shell-word.ts'

/** Asked asynchronously: a disk that hangs keeps a thread, not the program. */
export function dataFolderChecks(dataDir: string, store: StoreName): readonly Check[] {
  return [
    { name: 'data folder', look: () => folder(dataDir) },
    { name: 'secrets', look: () => secrets(dataDir, store) },
    { name: 'disk', look: () => disk(dataDir) },
  ]
}

const NEEDED = 'everything that String keeps has to be in it'

async function folder(dataDir: string): Promise<Seen> {
  const file = await fileInTheWay(dataDir)
  // Whose file that is, nobody knows: a variable that is wrong may name any.
  if (file !== null)
    return seenFail(
      `${file} is no folder, and ${NEEDED}`,
      'set STRING_DATA_DIR (else STRING_HOME) to a folder, or move that file away if it is yours to move',
    )
  const there = await stat(dataDir).catch(nothing)
  if (there === null) return missing(dataDir)
  const [path, own] = [shellWord(dataDir), process.getuid?.()]
  if (own !== undefined && there.uid !== own)
    return seenFail(
      `${dataDir} belongs to user ${there.uid}, you are ${own}`,
      `sudo chown -R ${own} ${path}, or set STRING_DATA_DIR`,
    )
  const mode = there.mode & 0o777
  if (!(await mayUse(dataDir)))
    return seenFail(`${dataDir} has mode ${octal(mode)} and cannot be used`, `chmod 700 ${path}`)
  if ((mode & 0o022) !== 0)
    return seenFail(`${dataDir} has mode ${octal(mode)}: others can write to it`, `chmod 700 ${path}`)
  if ((mode & 0o077) !== 0)
    return seenWarn(`${dataDir} has mode ${octal(mode)}: others can look into it`, `chmod 700 ${path}`)
  return seenOk(`${dataDir}, yours alone`)
}

/** The file that stands where the data folder, or one above it, has to be; null where nothing is in its way. */
export async function fileInTheWay(dataDir: string): Promise<string | null> {
  const above = await nearestAbove(dataDir)
  const there = await stat(above).catch(nothing)
  return there === null || there.isDirectory() ? null : above
}

/** Whether a folder above it may not be entered, so that nothing can be told of what is in it. */
export async function isShut(dataDir: string): Promise<boolean> {
  return !(await mayUse(await nearestAbove(dataDir), constants.X_OK))
}

/** It, or the first folder above it that exists. */
async function nearestAbove(dataDir: string): Promise<string> {
  let path = dataDir
  while ((await stat(path).catch(nothing)) === null && path !== dirname(path)) path = dirname(path)
  return path
}

async function isOwn(path: string): Promise<boolean> {
  return (await stat(path).catch(nothing))?.uid === process.getuid?.()
}

async function missing(dataDir: string): Promise<Seen> {
  const above = await nearestAbove(dataDir)
  const elsewhere = 'set STRING_HOME to a folder of yours; STRING_DATA_DIR, where that is set, comes first'
  if (await isShut(dataDir))
    return seenFail(
      `${above} does not let you in, and ${dataDir} has to be there`,
      (await isOwn(above))
        ? `chmod u+rwx ${shellWord(above)}`
        : `ls -ld ${shellWord(above)} shows who may; ${elsewhere}`,
    )
  const madeUp = keepsNoFiles(await statfs(above))
  if (madeUp !== null)
    return seenFail(
      `${dataDir} is not there and cannot be made: ${above} is of the file system ${madeUp}, which keeps no files`,
      elsewhere,
    )
  return (await mayUse(above))
    ? seenOk(`${dataDir} is not there yet: the first daemon makes it`)
    : seenFail(
        `${dataDir} is not there and cannot be made in ${above}`,
        (await isOwn(above)) ? `chmod u+rwx ${shellWord(above)}` : elsewhere,
      )
}

/** Files that hold a key, a token, a password or what people wrote. */
const SECRET_FILES = ['env', 'channels.yaml', 'agents.json', 'daemon.json', 'daemon.log', DATABASE]

async function secrets(dataDir: string, store: StoreName): Promise<readonly Seen[]> {
  // What is wrong with the file of the store is told of the store.
  const names = SECRET_FILES.filter((name) => name !== DATABASE || store.kind !== 'sqlite' || store.folder !== dataDir)
  const found = await Promise.all(names.map((name) => secret(join(dataDir, name))))
  const wrong = found.filter((seen) => seen !== null && seen.state !== 'ok').flatMap((seen) => seen ?? [])
  const count = found.filter((seen) => seen !== null).length
  if (wrong.length > 0) return wrong
  return [
    seenOk(
      count === 0 ? 'no files that hold secrets yet' : `${count} files that hold secrets can be read by you alone`,
    ),
  ]
}

async function secret(path: string): Promise<Seen | null> {
  const there = await lstat(path).catch(nothing)
  const own = process.getuid?.()
  if (there === null || own === undefined) return null
  const name = shellWord(path)
  if (there.uid !== own)
    return seenFail(`${path} belongs to user ${there.uid}`, `look at it, then rm ${name} or sudo chown ${own} ${name}`)
  if (!there.isFile()) return seenFail(`${path} is no plain file`, `mv ${name} ${name}.aside`)
  const mode = there.mode & 0o777
  if ((mode & 0o400) === 0) return shutFile(path)
  if ((mode & 0o077) === 0) return seenOk(path)
  const who = (mode & 0o022) === 0 ? 'read' : 'change'
  const also = OWN_FILES.includes(basename(path)) ? '; the next daemon does it too' : ''
  const around = (await lstat(dirname(path)).catch(nothing))?.mode ?? 0o777
  if ((around & 0o077) === 0)
    return seenWarn(`${path} has mode ${octal(mode)}: its folder alone keeps others out`, `chmod 600 ${name}${also}`)
  return seenFail(`${path} has mode ${octal(mode)}: others can ${who} it`, `chmod 600 ${name}${also}`)
}

/** File systems whose locks or syncs promise more than they keep, by the number the kernel gives them. */
const FAR_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
])

async function disk(dataDir: string): Promise<readonly Seen[]> {
  const path = await nearestAbove(dataDir)
  const system = await statfs(path)
  const { type, blocks, bavail, bsize, ffree, files } = system
  // What is wrong with it is told of the folder.
  if (keepsNoFiles(system) !== null) return [seenOk('nothing can be kept there')]
  if (blocks === 0) return [seenOk(`the file system of ${dataDir} does not tell how much is free`)]
  const free = bavail * bsize
  const far = FAR_SYSTEMS.get(type)
  const room = `${shownBytes(free)} free for ${dataDir}`
  const found: Seen[] = [
    free < LIMITS.doctorFreeBytes
      ? (free < LIMITS.doctorFreeBytes / 16 ? seenFail : seenWarn)(
          room,
          `make room: du -xh ${shellWord(path)} | sort -h | tail`,
        )
      : seenOk(room),
  ]
  if (files > 0 && ffree < 1_000)
    found.push(seenWarn(`only ${ffree} files can still be made there`, 'remove files that nobody needs'))
  if (far !== undefined)
    found.push(
      seenWarn(
        `it lies on ${far}, which may lose what was stored and lets two daemons in`,
        'STRING_DATA_DIR=/a/local/folder, or STRING_STORE=postgres://…',
      ),
    )
  return found
}

function octal(mode: number): string {
  return `0${mode.toString(8)}`
}

/** What is not there, or behind a closed door, is nothing; any other answer of the system is a finding. */
function nothing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EACCES') return null
  throw error
}
