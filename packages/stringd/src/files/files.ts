import {
  accessSync,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type Failure, fail, LIMITS } from '@string-os/protocol'
import { isTemporary, removeOrphans } from '../store/atomic-file.ts'
import { OpenFolder } from '../store/open-folder.ts'
import { brokenLink, look } from './real-path.ts'
import { decodeText, otherEncoding, whereNot } from './text.ts'
import { type Place, pathWord } from './workspace.ts'

export interface FileContent {
  readonly ok: true
  readonly bytes: Buffer
  readonly stat: Stats
}

export interface Entry {
  readonly name: string
  readonly kind: 'folder' | 'file' | 'link' | 'other'
  readonly bytes: number
}

export function isFolder({ stat }: Place): boolean {
  return stat?.isDirectory() ?? false
}

/** Reads a regular file of at most `documentBytes`. The file read is the one that passed the guard, or none. */
export function readFile(place: Place, typed: string): FileContent | Failure {
  return withFile(place, typed, (fd, stat) => {
    const bytes = readAtMost(fd, stat.size, LIMITS.documentBytes)
    if (bytes !== null) return { ok: true, bytes, stat }
    return fail(
      'TOO_LARGE',
      `${fileIn(typed)} is larger than ${LIMITS.documentBytes / 1024 / 1024} MiB`,
      `/open ${fileIn(typed)} --source shows it page by page, /open ${fileIn(typed)}:L1-L200 lines of it`,
    )
  })
}

/** The file of a target that names a part of it. */
export function fileIn(typed: string): string {
  return typed.replace(/(?::L\d+(?:-L?\d+)?|#[^#/\s]*)$/, '')
}

function withFile<T extends { readonly ok: true }>(
  place: Place,
  typed: string,
  use: (fd: number, stat: Stats) => T | Failure,
): T | Failure {
  const opened = openPlace(place, typed)
  if (!opened.ok) return opened
  try {
    return use(opened.fd, opened.stat)
  } catch (error) {
    return readFailure(error, typed)
  } finally {
    closeSync(opened.fd)
  }
}

/** Opens a regular file that passed the guard; who calls it closes it. */
export function openPlace(
  { real }: Place,
  typed: string,
): { readonly ok: true; readonly fd: number; readonly stat: Stats } | Failure {
  try {
    // Not blocking: a pipe or a terminal under this name must not hold the daemon. Not following: the guard looked at this path.
    const fd = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stat = fstatSync(fd)
    const refused = refuseOpen(fd, stat, real, typed)
    if (refused === null) return { ok: true, fd, stat }
    closeSync(fd)
    return refused
  } catch (error) {
    if (brokenLink(real)?.isLoop === true)
      return fail('INVALID_PATH', `${typed} is a link that leads to itself`, '/exec ls -l shows it')
    return readFailure(error, typed)
  }
}

export interface SourcePage {
  readonly ok: true
  /** Null when there is no such page. */
  readonly text: string | null
  readonly pages: number
}

/** One page of a file's raw text, or with null all of it. Files of any size: only the page is read. */
export function readSource(place: Place, typed: string, page: number | null): SourcePage | Failure {
  if (page === null) {
    const file = readFile(place, typed)
    return file.ok ? sourceText(file.bytes, typed, 1) : file
  }
  return withFile(place, typed, (fd, { size }) => {
    const pages = Math.max(1, Math.ceil(size / SOURCE_STEP))
    if (page < 1 || page > pages) return { ok: true, text: null, pages }
    const start = pageStart(fd, (page - 1) * SOURCE_STEP, size)
    const end = pageStart(fd, page * SOURCE_STEP, size)
    const bytes = Buffer.alloc(end - start)
    return sourceText(bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, start)), typed, pages)
  })
}

/** Pages begin at a line, or else at a character, at most `SOURCE_BACK` before every multiple of `SOURCE_STEP`. */
const SOURCE_BACK = 8 * 1024
const SOURCE_STEP = LIMITS.pageBytes - SOURCE_BACK - 64

function pageStart(fd: number, at: number, size: number): number {
  if (at <= 0 || at >= size) return Math.max(0, Math.min(at, size))
  const before = Buffer.alloc(Math.min(at, SOURCE_BACK))
  readSync(fd, before, 0, before.length, at - before.length)
  const newline = before.lastIndexOf(10)
  if (newline !== -1) return at - before.length + newline + 1
  let back = 0
  while (back < 3 && ((before.at(-1 - back) ?? 0) & 0xc0) === 0x80) back += 1
  // Behind a whole character the cut is clean; inside one, it goes before it.
  return back > 0 || ((before.at(-1) ?? 0) & 0x80) !== 0 ? at - back - 1 : at
}

function sourceText(bytes: Buffer, typed: string, pages: number): SourcePage | Failure {
  const text = decodeText(bytes)
  return text === null ? notText(typed, bytes) : { ok: true, text, pages }
}

/** Of bytes that are the whole file it can be said where they stop being text. */
export function notText(typed: string, bytes: Uint8Array, isWhole = false): Failure {
  const file = fileIn(typed)
  const other = otherEncoding(bytes)
  if (other !== null)
    return fail(
      'NOT_TEXT',
      `${file} is not UTF-8${isWhole ? whereNot(other) : ''}`,
      `/exec iconv -f ${other.name} -t utf8 ${pathWord(file)} shows it, if it is ${other.name}`,
    )
  return fail('NOT_TEXT', `${file} is not text`, `/open ${file} describes it`)
}

/** The entries of a folder, folders first, by name. Links are followed only where `mayFollow` says so. */
export function listFolder(
  { real }: Place,
  typed: string,
  all: boolean,
  mayFollow: (path: string) => boolean,
): { readonly ok: true; readonly items: readonly Entry[] } | Failure {
  try {
    const folder = OpenFolder.open(real)
    try {
      removeOrphans(folder)
      return { ok: true, items: readEntries(folder, all, mayFollow) }
    } finally {
      folder.close()
    }
  } catch (error) {
    return readFailure(error, typed)
  }
}

/** Through the open folder, so that what is listed is what passed the guard, whatever its path leads to by now. */
function readEntries(folder: OpenFolder, all: boolean, mayFollow: (path: string) => boolean): Entry[] {
  const found = readdirSync(folder.at('.'), { withFileTypes: true }).filter(
    ({ name }) => !isTemporary(name) && (all || !name.startsWith('.')),
  )
  const look = (name: string): Entry => entryOf(folder.at(name), name, () => mayFollow(join(folder.path, name)))
  // A look at each of very many would take long: links that nobody will see stay links, and files without a size.
  let looks: number = LIMITS.listedEntries
  const entries = found.map((entry) => {
    looks -= entry.isSymbolicLink() ? 1 : 0
    return entry.isSymbolicLink() && looks >= 0 ? look(entry.name) : { name: entry.name, kind: kindOf(entry), bytes: 0 }
  })
  entries.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
  return entries.map((entry, place) =>
    place < LIMITS.listedEntries && entry.kind === 'file' ? look(entry.name) : entry,
  )
}

function refuseOpen(fd: number, stat: Stats, real: string, typed: string): Failure | null {
  if (stat.isDirectory())
    return fail(
      'LOAD_ERROR',
      `Not a regular file: ${typed}`,
      `It is a folder; /ls ${pathWord(typed)} lists the files in it`,
    )
  if (!stat.isFile()) return fail('LOAD_ERROR', `Not a regular file: ${typed}`, 'Only files and folders are opened')
  if (process.platform === 'linux' && readlinkSync(`/proc/self/fd/${fd}`) !== real) {
    return changedMeanwhile(typed)
  }
  return null
}

/** Null when there is more than `limit`. `expected` is only a guess: the file may grow meanwhile. */
function readAtMost(fd: number, expected: number, limit: number): Buffer | null {
  if (expected > limit) return null
  let buffer = Buffer.allocUnsafe(expected + 1)
  let length = 0
  for (;;) {
    const count = readSync(fd, buffer, length, buffer.length - length, null)
    if (count === 0) return buffer.subarray(0, length)
    length += count
    if (length > limit) return null
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)])
  }
}

function readFailure(error: unknown, typed: string): Failure {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return notFound(typed)
  if (code === 'ELOOP') return changedMeanwhile(typed)
  if (code === 'ENAMETOOLONG') return fail('INVALID_PATH', `The name is too long: ${typed}`, 'Give a shorter one')
  if (code === 'EISDIR') return fail('LOAD_ERROR', `${typed} is a folder`, `/ls ${typed} lists it`)
  if (code === 'EACCES' || code === 'EPERM')
    return fail('LOAD_ERROR', `No permission to read ${typed}`, '/exec ls -l shows who may')
  if (code === undefined) throw error
  return fail('LOAD_ERROR', `Cannot read ${typed}: ${code}`, 'Try again, or another file')
}

function changedMeanwhile(typed: string): Failure {
  return fail('INVALID_PATH', `The path changed while it was opened: ${typed}`, 'Try again')
}

/** Nothing is found there: there is nothing, or a folder on the way to it may not be entered. */
export function absent({ path }: Place, typed: string, workspace: Spelling): Failure {
  const shut = shutFolder(dirname(path))
  if (shut === null) return notFound(typed)
  const folder = workspace.spell(shut)
  const system = `No permission to read ${typed}: the folder ${folder} may not be entered`
  return fail('LOAD_ERROR', system, `/exec ls -ld ${pathWord(folder)} shows who may`)
}

/** How a path is shown. */
interface Spelling {
  readonly spell: (path: string) => string
}

/** The uppermost folder that may not be entered, of those that lead there; null where each may, as far as they are there. */
function shutFolder(folder: string): string | null {
  const parent = dirname(folder)
  const above = parent === folder ? null : shutFolder(parent)
  return above ?? (isShut(folder) ? folder : null)
}

function isShut(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK)
    return false
  } catch (error) {
    // A file may not be entered, either.
    return (error as NodeJS.ErrnoException).code === 'EACCES' && look(folder)?.isDirectory() === true
  }
}

export function notFound(typed: string): Failure {
  return fail('NOT_FOUND', `File not found: ${typed}`, '/ls shows what exists')
}

function entryOf(path: string, name: string, mayFollow: () => boolean): Entry {
  try {
    const isLink = lstatSync(path).isSymbolicLink()
    if (isLink && !mayFollow()) return { name, kind: 'link', bytes: 0 }
    const stat = statSync(path)
    return { name, kind: stat.isDirectory() ? 'folder' : stat.isFile() ? 'file' : 'other', bytes: stat.size }
  } catch {
    // A link to nothing or to itself, or gone meanwhile.
    return { name, kind: 'link', bytes: 0 }
  }
}

function kindOf(entry: Dirent): Entry['kind'] {
  if (entry.isSymbolicLink()) return 'link'
  return entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other'
}

function rank({ kind }: Entry): number {
  return kind === 'folder' ? 0 : 1
}
