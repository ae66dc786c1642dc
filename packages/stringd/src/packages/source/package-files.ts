import { basename, dirname, join } from 'node:path'
import { type Failure, fail, LIMITS, visibleLine } from '@string-os/protocol'
import { FOLDER_DOCUMENTS } from '../../document/parse/file-names.ts'
import { decodeText, otherEncoding, whereNot } from '../../files/text.ts'
import { pathWord } from '../../files/workspace.ts'
import { isPackagePath } from '../state/package-record.ts'
import { isSecretName } from './secret-names.ts'

export interface PackageFile {
  readonly bytes: Uint8Array
  readonly mode: number
}

/** What was fetched of a package, all in memory: nothing is written before all of it is known. */
export interface PackageSource {
  readonly ok: true
  readonly files: ReadonlyMap<string, PackageFile>
  /** The document that is opened; of a linked page its URL. */
  readonly entry: string
  /** The text of that document. */
  readonly text: string
  /** Of one file, which gets the name of an entry: what its author calls it. */
  readonly written?: string
  readonly linked: boolean
  /** What its name can be made of. */
  readonly name: string
  /** Where it comes from, as it is shown. */
  readonly from: string
  /** The same as an identity: a real path, or the URL that was asked for. */
  readonly origin: string
  /** What `/install` is given to install it anew, wherever the caller is. */
  readonly again: string
  /** Of a folder that is only linked: where it is. */
  readonly folder: string | null
  /** Of a folder of this machine: as it was typed, where its author can mend it. */
  readonly at?: string
  /** What is left behind, because names like that are those of secrets. */
  readonly secrets?: readonly string[]
  /** Of a git repository, where one was asked for: what names this version. */
  readonly ref?: GitRef
}

/** A branch moves on by itself, the others do not. */
export interface GitRef {
  readonly kind: 'branch' | 'tag' | 'commit'
  readonly name: string
}

/** Where a package comes from, in all spellings. */
export type SourceIdentity = Pick<PackageSource, 'name' | 'from' | 'origin' | 'again' | 'ref' | 'at'>

/** The document that is opened, as its author calls it. */
export function mainOf({ written, entry }: Pick<PackageSource, 'written' | 'entry'>): string {
  return written ?? entry
}

/** A file of a package, as its author calls it. */
export function shownFile(path: string, source: Pick<PackageSource, 'written' | 'entry'>): string {
  return path === source.entry ? mainOf(source) : path
}

const MEBIBYTE = 1024 * 1024

/** Takes files one by one and says when one cannot be part of a package. */
export class FileCollection {
  readonly files = new Map<string, PackageFile>()
  /** What it goes without, because of its name. */
  readonly secrets: string[] = []
  readonly #folders = new Set<string>()
  #bytes = 0

  /** Whether this is part of no package, wherever that comes from: else it would differ by that. */
  leavesOut(path: string, isFolder: boolean): boolean {
    if (isOfGit(path) || isCache(path, isFolder)) return true
    if (!isSecretName(basename(path), isFolder)) return false
    const shown = isFolder ? `${path}/` : path
    if (!this.secrets.includes(shown)) this.secrets.push(shown)
    return true
  }

  add(path: string, file: PackageFile): Failure | null {
    if (!isPackagePath(path)) return badPath(path)
    if (foldersOf(path).some((folder) => this.leavesOut(folder, true)) || this.leavesOut(path, false)) return null
    if (this.files.has(path) || this.#folders.has(path)) return twice(path)
    for (const folder of foldersOf(path)) {
      if (this.files.has(folder)) return twice(folder)
      this.#folders.add(folder)
    }
    if (path.split('/').length > LIMITS.packageDepth)
      return fail(
        'TOO_LARGE',
        `A package has at most ${LIMITS.packageDepth} folders inside each other`,
        'Make it flatter',
      )
    this.#bytes += file.bytes.length
    if (this.#bytes > LIMITS.packageBytes)
      return fail(
        'TOO_LARGE',
        `A package has at most ${LIMITS.packageBytes / MEBIBYTE} MiB`,
        'Leave out files that it does not use',
      )
    this.files.set(path, file)
    return this.files.size > LIMITS.packageFiles
      ? fail('TOO_LARGE', `A package has at most ${LIMITS.packageFiles} files`, 'Leave out files that it does not use')
      : null
  }
}

/** What git keeps for itself is no part of what a folder holds. */
export function isOfGit(path: string): boolean {
  return basename(path) === '.git'
}

/** What programs made for themselves, and make again. */
export function isCache(path: string, isFolder: boolean): boolean {
  return isFolder && (basename(path) === '__pycache__' || /(?:^|\/)node_modules\/\.cache$/.test(path))
}

/** A package that is a folder, wherever its files were read; `spell` says how a folder in it is named as a source. */
export function folderSource(
  files: ReadonlyMap<string, PackageFile>,
  identity: SourceIdentity,
  spell: (folder: string) => string | null = () => null,
): PackageSource | Failure {
  const entry = FOLDER_DOCUMENTS.find((name) => files.has(name))
  const bytes = entry === undefined ? undefined : files.get(entry)?.bytes
  const other = [...files.keys()].find((path) => FOLDER_DOCUMENTS.some((name) => isOtherCase(path, name)))
  if (entry === undefined || bytes === undefined)
    return fail(
      'NOT_FOUND',
      `${identity.from} has no string.md`,
      ...insideHint(files, spell),
      ...(other === undefined
        ? []
        : [`Did you mean ${visibleLine(other)}? Small and capital letters are told apart: rename it to string.md`]),
      'A package is a folder with a document string.md: string app init NAME makes one',
    )
  const decoded = decode(bytes, join(identity.from, entry), identity.at === undefined ? null : join(identity.at, entry))
  if (!decoded.ok) return decoded
  return { ok: true, files, entry, text: decoded.text, linked: false, folder: null, ...identity }
}

/** The packages that a folder holds, which is none itself. */
function insideHint(files: ReadonlyMap<string, PackageFile>, spell: (folder: string) => string | null): string[] {
  const inside = [...files.keys()].filter((path) => basename(path) === 'string.md' && path.includes('/'))
  const spelled = inside.sort().flatMap((path) => spell(dirname(path)) ?? [])
  const shown = spelled.slice(0, LIMITS.packageMistakes).map((each) => visibleLine(each))
  return shown.length === 0 ? [] : [`Did you mean ${shown.join(' or ')}?`]
}

/** `String.md`: nearly the name of the document that is opened. */
function isOtherCase(path: string, name: string): boolean {
  return path !== name && path.toLowerCase() === name.toLowerCase()
}

export function badPath(path: string): Failure {
  return fail(
    'INVALID_PATH',
    `Not a path inside a package: ${JSON.stringify(path.slice(0, LIMITS.shownValueChars))}`,
    'Paths are relative, without .. and without empty parts',
  )
}

/** `a/b/c` lies in `a` and `a/b`. */
export function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** The text of a document, as it can be opened; `at` is where its author finds it on this machine. */
export function decode(
  bytes: Uint8Array,
  what: string,
  at: string | null = null,
): { readonly ok: true; readonly text: string } | Failure {
  if (bytes.length > LIMITS.documentBytes)
    return fail(
      'TOO_LARGE',
      `${what} is larger than ${LIMITS.documentBytes / MEBIBYTE} MiB, so that it could not be opened`,
      'Make several pages of it, or put what is no text for people into a file with another ending',
    )
  const text = decodeText(bytes)
  if (text !== null) return { ok: true, text }
  const other = otherEncoding(bytes)
  if (other === null)
    return fail('NOT_TEXT', `${what} is not text`, 'A package begins with a Markdown document, and its pages are text')
  return fail(
    'NOT_TEXT',
    `${what} is not UTF-8${whereNot(other)}`,
    at === null
      ? 'Its author has to save it as UTF-8'
      : `Save it as UTF-8; iconv -f ${other.name} -t utf8 ${pathWord(at)} shows it so, if it is ${other.name}`,
  )
}

function twice(path: string): Failure {
  return fail('INVALID_PATH', `The package has ${JSON.stringify(path)} twice`, 'Give one of them another name')
}
