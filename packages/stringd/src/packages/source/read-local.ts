import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  type Stats,
} from 'node:fs'
import { basename, extname, join } from 'node:path'
import { type Failure, fail, LIMITS } from '@string-os/protocol'
import { FOLDER_DOCUMENTS, isMarkdownName } from '../../document/parse/file-names.ts'
import { pathWord } from '../../files/workspace.ts'
import { decode, FileCollection, folderSource, isOfGit, type PackageFile, type PackageSource } from './package-files.ts'
import { isArchive, readArchive, whyNoArchive } from './read-archive.ts'

export interface LocalSource {
  readonly kind: 'local'
  /** Where it really is, all links followed. */
  readonly real: string
  /** How messages name it. */
  readonly typed: string
  /** A folder is used where it is, and not copied. */
  readonly link: boolean
  /** Says no to what file commands may not read. */
  readonly guard: (path: string) => Failure | null
}

/** A Markdown file, an archive, or a folder with everything in it. */
export async function readLocal(source: LocalSource): Promise<PackageSource | Failure> {
  try {
    return lstatSync(source.real).isDirectory() ? readFolder(source) : await readSingle(source)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return fail(
      code === 'ENOENT' ? 'NOT_FOUND' : 'LOAD_ERROR',
      `Cannot read ${source.typed}: ${code}`,
      '/ls shows what exists',
    )
  }
}

async function readSingle({ real, typed, link }: LocalSource): Promise<PackageSource | Failure> {
  if (link)
    return fail(
      'INVALID_PARAMS',
      '--link takes a folder or a URL',
      `Leave out --link: what is a file is copied, and /install ${typed} takes it anew after a change`,
    )
  const read = readFile(real, typed)
  if (!read.ok) return read
  const { file } = read
  const identity = { from: typed, origin: real, again: real }
  if (isArchive(file.bytes)) return readArchive(file.bytes, { ...identity, name: archiveName(real) })
  const misnamed = whyNoArchive(real, typed)
  if (misnamed !== null) return misnamed
  const decoded = decode(file.bytes, typed, typed)
  if (!decoded.ok) return decoded
  const { text } = decoded
  if (!isMarkdownName(real) || text.startsWith('#!'))
    return fail(
      'INVALID_TARGET',
      `${typed} is no Markdown, and so no package`,
      extname(real) === '.json'
        ? 'A manifest is taken from a URL; of what is here name the folder, a .md file, or an archive'
        : 'A package is a .md file, a folder with string.md, or an archive of one; a program goes into such a folder, and an action runs it',
    )
  const name = basename(real, extname(real))
  const files = new Map([['string.md', file]])
  return { ok: true, files, entry: 'string.md', written: typed, text, linked: false, folder: null, name, ...identity }
}

function archiveName(path: string): string {
  return basename(path).replace(/\.(?:tgz|tar|tar\.gz)$/i, '')
}

/** Why a folder is no package, from names alone: what lies in it may be anything. Null where it is one. */
export function noPackage({ real, typed, guard }: Omit<LocalSource, 'kind' | 'link'>): Failure | null {
  const here = readdirSync(real, { withFileTypes: true })
  if (FOLDER_DOCUMENTS.some((name) => here.some((each) => each.name === name))) return null
  const inside = here.flatMap((each) => (each.isDirectory() ? [`${each.name}/string.md`] : []))
  const found = inside.filter((path) => guard(join(real, path)) === null && existsSync(join(real, path)))
  const names = [...here.map(({ name }) => name), ...found]
  const files = new Map(names.map((name) => [name, { bytes: new Uint8Array(), mode: 0 }]))
  const spell = (folder: string): string => pathWord(besideHome(typed, folder))
  const source = folderSource(files, { name: basename(real), from: typed, origin: real, again: real }, spell)
  return source.ok ? null : source
}

/** As a path is typed that is no name of something else. */
function besideHome(typed: string, folder: string): string {
  const path = `${typed.replace(/\/+$/, '')}/${folder}`
  return /^[./~]/.test(path) ? path : `./${path}`
}

function readFolder(source: LocalSource): PackageSource | Failure {
  const none = noPackage(source)
  if (none !== null) return none
  const { files, refused, secrets } = walkFolder(source, 1)
  const [first] = refused
  if (first !== undefined) return first.failure
  const { real, typed: from, link } = source
  const found = folderSource(files, { name: basename(real), from, at: from, origin: real, again: real })
  if (!found.ok) return found
  // A link is used where it is, with all that is there.
  return link ? { ...found, linked: true, folder: real } : { ...found, secrets }
}

/** What is in a folder, and what of it cannot be part of a package. */
export interface Walked {
  readonly files: PackageSource['files']
  readonly refused: readonly { readonly path: string; readonly failure: Failure }[]
  /** What it goes without, because of its name. */
  readonly secrets: readonly string[]
}

/** Goes on until so much was refused; an installation needs to know only that something is. */
export function walkFolder(source: LocalSource, most: number, isLeftOut: LeaveOut = () => false): Walked {
  const collection = new FileCollection()
  const refused: { path: string; failure: Failure }[] = []
  const visit = (folder: string): void => {
    for (const name of readdirSync(join(source.real, folder)).sort()) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (refused.length >= most) return
      const stat = lstatSync(join(source.real, path))
      const isFolder = stat.isDirectory()
      if (isOfGit(path) || isLeftOut(path, isFolder) || collection.leavesOut(path, isFolder)) continue
      const failure = refusalOf(source, path, stat) ?? (stat.isDirectory() ? null : addFile(source, path, collection))
      if (failure !== null) refused.push({ path, failure })
      else if (stat.isDirectory()) visit(path)
    }
  }
  visit('')
  return { files: collection.files, refused, secrets: collection.secrets }
}

/** Whether something is no part of the package, though it lies in its folder. */
export type LeaveOut = (path: string, isFolder: boolean) => boolean

function refusalOf({ real, typed, guard }: LocalSource, path: string, stat: Stats): Failure | null {
  if (stat.isSymbolicLink())
    return fail('INVALID_PATH', `A package holds no links: ${join(typed, path)}`, 'Copy what it points to')
  const refusal = guard(join(real, path))
  if (refusal !== null) return refusal
  if (!stat.isDirectory() || path.split('/').length < LIMITS.packageDepth) return null
  return fail('TOO_LARGE', `A package has at most ${LIMITS.packageDepth} folders inside each other`, 'Make it flatter')
}

function addFile({ real, typed }: LocalSource, path: string, collection: FileCollection): Failure | null {
  const read = readFile(join(real, path), join(typed, path))
  return read.ok ? collection.add(path, read.file) : read
}

/** Not following and not blocking: what was looked at is what is read, and a pipe holds nobody up. */
function readFile(path: string, shown: string): { readonly ok: true; readonly file: PackageFile } | Failure {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile())
      return fail('LOAD_ERROR', `Not a regular file: ${shown}`, 'A package holds files and folders only')
    if (stat.size > LIMITS.packageBytes)
      return fail(
        'TOO_LARGE',
        `${shown} is larger than ${LIMITS.packageBytes / 1024 / 1024} MiB`,
        'Leave out files that it does not use',
      )
    return { ok: true, file: { bytes: readFileSync(fd), mode: stat.mode & 0o777 } }
  } finally {
    closeSync(fd)
  }
}
