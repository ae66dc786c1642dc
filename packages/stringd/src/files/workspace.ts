import type { Stats } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { type Failure, fail, LIMITS } from '@string-os/protocol'
import { look, realPath } from './real-path.ts'
import { isSameFile } from './same-file.ts'

/** What decides where a path may lead, and where it starts. */
export interface WorkspaceScope {
  /** Whose it is; where that is not known, a message says `ID`. */
  readonly agentId?: string
  readonly home: string
  /** The agent's allowed paths and the working directories sent in this session. */
  readonly allowed: readonly string[]
  /** The caller's working directory for this one command; in a bash topic it may be that of the shell. */
  readonly cwd: string | null
  /** A bare name is looked for there first, and only then beside the document. */
  readonly isCwdFirst?: boolean
  /** The folder of the current document, which a command may change while it runs. */
  readonly folder: () => string | null
  /** The daemon's own folder: closed to every file command. */
  readonly dataDir: string
  /** What has passed the guard before: as long as it is the same file, it need not be followed again. */
  readonly located: Map<string, Place>
  /** Where the folders of the workspace really are, looked up once. */
  readonly realFolders: Map<string, string>
  /** The package that the topic belongs to. */
  readonly own?: OwnFolder | null
  /** A closed folder that is open to this one: a package, to those who read its documents. */
  readonly readable?: string | null
  /** Whether some agent lives in this folder: its `.string` is closed too. */
  readonly isHome: (path: string) => boolean
}

/** Where the documents of a topic's own package are. */
export interface OwnFolder {
  readonly folder: string
  /** What to do instead of changing a file in it, which is a copy; null where it is not. */
  readonly instead: string | null
}

/** A path that passed the guard. */
export interface Place {
  readonly ok: true
  readonly path: string
  /** Where it really is, all links followed. What does not exist yet stands below a folder that does. */
  readonly real: string
  readonly exists: boolean
  /** How it was when it was found; null for what does not exist. */
  readonly stat: Stats | null
}

const KEEPERS: ReadonlyMap<string, string> = new Map([
  ['packages', '/install and /uninstall manage packages; ~/NAME is a file at home'],
  ['tools', '/install --tool manages tools'],
  ['config.json', '/set and /install manage it'],
  ['apps', '/set manages it'],
  ['profile.yaml', 'string agent add ID --profile FILE manages it'],
])

/** Finds what a typed path means and refuses whatever leads outside the workspace. A guard rail, not a sandbox. */
export class Workspace {
  readonly #scope: WorkspaceScope

  constructor(scope: WorkspaceScope) {
    this.#scope = scope
  }

  /** What a path means to a reader: a bare name is looked for beside the document, in the topic's package, in `cwd`, in home. */
  locate(typed: string, wanted: 'file' | 'folder' = 'file'): Place | Failure {
    const refusal = malformed(typed)
    if (refusal !== null) return refusal
    const { path, stat = look(path) } = this.#resolve(typed)
    return this.#known(path, stat) ?? this.#guard(typed, path, wanted)
  }

  /** Where a path is written: a bare name is the file that the topic knows by it, else one in `cwd`, else in home. */
  locateToWrite(typed: string, known: string | null = null): Place | Failure {
    const { cwd, home } = this.#scope
    const refusal = malformed(typed)
    if (refusal !== null) return refusal
    const path = this.#fixed(typed) ?? known ?? resolve(cwd ?? home, typed)
    return this.#known(path, look(path)) ?? this.#guard(typed, path)
  }

  /** What a path means that a caller gives to an action: it starts where the caller is, whatever lies beside the document. */
  locateGiven(typed: string): Place | Failure {
    const refusal = malformed(typed)
    if (refusal !== null) return refusal
    const paths = this.givenStarts(typed).map((start) => resolve(start, typed))
    const path = paths.find((each) => look(each) !== null) ?? paths[0] ?? this.#absolute(typed)
    return this.#known(path, look(path)) ?? this.#guard(typed, path)
  }

  /** The folders in which such a path is looked for, in their order; one that does not depend on a folder in none. */
  givenStarts(typed: string): string[] {
    const { home, cwd } = this.#scope
    if (!isRelative(typed)) return []
    return cwd !== null || isDotted(typed) || this.start === home ? [this.start] : [this.start, home]
  }

  /** What a path means in the text of a document: it starts there, and may lead to the files of its package. */
  locateBeside(typed: string, by: { readonly beside: string; readonly package: string | null }): Place | Failure {
    if (by.package !== null) return this.#opening(by.package).locateBeside(typed, { ...by, package: null })
    const refusal = malformed(typed)
    if (refusal !== null) return refusal
    const path = isRelative(typed) ? resolve(by.beside, typed) : this.#absolute(typed)
    return this.#guard(typed, path)
  }

  /** A path that was found some other way, if it may be used; an error calls it as it was typed. */
  admit(path: string, typed: string): Place | Failure {
    return this.#known(path, look(path)) ?? this.#guard(typed, path)
  }

  /** Whether a folder may be entered that is known by its real path. */
  isOpenFolder(real: string): boolean {
    return this.#closedBy(real) === null && this.#isOpen(real) && !isKernelPath(real)
  }

  /** What may be meant by a name that is not where it says: `./x` beside the document, a bare name that only a reader finds. */
  elsewhere(typed: string): Place | null {
    if (malformed(typed) !== null) return null
    const folder = this.#scope.folder()
    const beside = isDotted(typed) && folder !== null ? resolve(folder, typed) : null
    return this.#existing(isBare(typed) ? this.#resolve(typed).path : beside, typed)
  }

  /** What a bare name means one folder above the open document: beside the page that led to it, most often. */
  above(typed: string): Place | null {
    const folder = this.#scope.folder()
    if (folder === null || !isBare(typed) || malformed(typed) !== null) return null
    return this.#existing(resolve(dirname(folder), typed), typed)
  }

  #existing(path: string | null, typed: string): Place | null {
    const place = path === null ? null : this.admit(path, typed)
    return place?.ok && place.exists ? place : null
  }

  /** Where a path was looked for that says it not by itself, and whose caller has not said where it is. */
  lookedIn(typed: string): string[] {
    const { home, cwd } = this.#scope
    if (cwd !== null || isAbsolute(typed) || /^~(?:\/|$)/.test(typed)) return []
    const folder = this.#scope.folder()
    const places = isBare(typed) ? [folder, this.#ownFolder, home] : [folder ?? home]
    return [...new Set(places.filter((place) => place !== null))]
  }

  /** Why nothing is found at a path that starts in the caller's folder: that is not there. */
  lostStart(typed: string): string | null {
    const { cwd } = this.#scope
    const startsThere = typed === cwd || isBare(typed) || isDotted(typed)
    if (cwd === null || !startsThere || look(cwd) !== null) return null
    return `There is no folder ${cwd} to work in; paths that begin with ~/ or / need none`
  }

  /** What a path means to the open document, where that is in the topic's own package and the path, too; null elsewhere. */
  inPackage(typed: string): string | null {
    const own = this.#ownFolder
    const folder = this.#scope.folder()
    if (own === null || folder === null || !isInside(own, folder) || !isDotted(typed)) return null
    const path = resolve(folder, typed)
    return isInside(own, path) ? path : null
  }

  get #ownFolder(): string | null {
    return this.#scope.own?.folder ?? null
  }

  /** Where commands run: in the caller's folder, else in the document's, but never in a closed one. */
  get start(): string {
    const { cwd, home } = this.#scope
    const folder = this.#scope.folder()
    return cwd ?? (folder === null || this.#closedBy(realPath(folder).real) !== null ? home : folder)
  }

  /** How a path is shown where none was typed: relative to home. */
  show(path: string): string {
    const below = relative(this.#scope.home, path)
    if (below === '') return '~'
    return below.startsWith('..') || isAbsolute(below) ? path : below
  }

  /** A path as the caller sees it: from the working directory, else from home, else whole. */
  visible(path: string): string {
    const { cwd, home } = this.#scope
    const start = cwd ?? home
    const isNearerHome = start !== home && isInside(start, home) && isInside(home, path)
    return isInside(start, path) && !isNearerHome ? relative(start, path) : this.whole(path)
  }

  /** A path as it was typed; a bare name that is also the name of something else where the caller stands, by where it is. */
  asRead(typed: string, path: string): string {
    const { cwd } = this.#scope
    if (cwd === null || !isBare(typed)) return typed
    const here = resolve(cwd, typed)
    return here === path || look(here) === null ? typed : this.visible(path)
  }

  /** The same, wherever the caller is. */
  whole(path: string): string {
    const { home } = this.#scope
    return isInside(home, path) ? `~/${relative(home, path)}` : path
  }

  /** A spelling that means this path and nothing else. */
  spell(path: string): string {
    const visible = this.visible(path)
    if (visible === path || visible.startsWith('~/')) return visible
    return this.#scope.cwd === null ? `~/${visible}` : `./${visible}`
  }

  /** The folders that are open to file commands, as an error lists them. */
  folders(): string[] {
    return [...new Set([this.#scope.home, ...this.#scope.allowed])]
  }

  /** The path that is meant, and how it looks where that had to be found out. */
  #resolve(typed: string): { path: string; stat?: Stats } {
    const { home, cwd, isCwdFirst = false } = this.#scope
    const fixed = this.#fixed(typed)
    if (fixed !== null) return { path: fixed }
    const beside = this.#scope.folder()
    const nearest = isCwdFirst ? [cwd, beside] : [beside, this.#ownFolder, cwd]
    const bases = new Set([...nearest, home].filter((base) => base !== null))
    for (const base of bases) {
      const path = resolve(base, typed)
      const stat = look(path)
      if (stat !== null) return { path, stat }
    }
    return { path: resolve(cwd ?? home, typed) }
  }

  /** The same, where a closed folder is open. */
  #opening(folder: string): Workspace {
    return new Workspace({ ...this.#scope, readable: folder, located: new Map() })
  }

  /** What a spelling means that says where it starts; null for a bare name. */
  #fixed(typed: string): string | null {
    const { home, cwd } = this.#scope
    if (isBare(typed)) return null
    return isDotted(typed) ? resolve(cwd ?? this.#scope.folder() ?? home, typed) : this.#absolute(typed)
  }

  #absolute(typed: string): string {
    return typed.startsWith('~') ? join(this.#scope.home, typed.slice(1)) : resolve(typed)
  }

  /** A place that passed before, has not been touched since, and is still where it was. */
  #known(path: string, stat: Stats | null): Place | null {
    const place = this.#scope.located.get(path)
    if (place === undefined || place.stat === null || stat === null) return null
    return isSameFile(stat, place.stat) && realPath(path).real === place.real ? place : null
  }

  #guard(typed: string, path: string, wanted: 'file' | 'folder' = 'file'): Place | Failure {
    const { real, exists } = realPath(path)
    const closed = this.#closedBy(real)
    if (closed !== null) return fail('INVALID_PATH', `Closed folder: ${typed}`, closed)
    if (this.#isOpen(real) && !isKernelPath(real))
      return this.#remember({ ok: true, path, real, exists, stat: exists ? look(real) : null })
    const folder = wanted === 'folder' || typed.endsWith('/') ? path : folderOf(path)
    const outside = [`Outside the workspace: ${typed}`, `Allowed: ${this.folders().join(', ')}`] as const
    // Nobody can open what is not there: the path is mistyped.
    if (look(folder) === null) return fail('INVALID_PATH', ...outside, `${folder} does not exist`)
    const agent = this.#scope.agentId ?? 'ID'
    // A link leads out of an open folder: which one it would have to be is not told. Nor is that in which String keeps everything.
    if (this.#isOpen(path) || basename(folder) === '.string')
      return fail('INVALID_PATH', ...outside, `string agent allow ${agent} DIR opens another folder`)
    const next = `string agent allow ${agent} ${pathWord(folder)} opens another folder`
    return { ...fail('INVALID_PATH', ...outside, next), data: { outside: folder } }
  }

  #remember(place: Place): Place {
    const { located } = this.#scope
    if (located.size >= LIMITS.locatedPaths) located.clear()
    // A folder stays the same while the links in it change, so only files are remembered.
    if (place.stat?.isFile()) located.set(place.path, place)
    return place
  }

  /** Why a path is closed, or null. Every `<home>/.string` is, but for this agent's own `output`; so is the data folder. */
  #closedBy(real: string): string | null {
    const { dataDir, home, own: ownFolder = null, readable = null } = this.#scope
    if (readable !== null && isInside(this.#realFolder(readable), real)) return null
    const instead = ownFolder?.instead ?? null
    if (ownFolder !== null && instead !== null && isInside(this.#realFolder(ownFolder.folder), real)) return instead
    if (isInside(this.#realFolder(dataDir), real))
      return 'It holds the state of the daemon; string start, stop and restart manage it'
    const ownHome = this.#realFolder(home)
    for (let parent = real; parent !== dirname(parent); parent = dirname(parent)) {
      if (basename(parent) !== '.string' || !this.#isHome(dirname(parent), ownHome)) continue
      const own = dirname(parent) === ownHome
      const [first = ''] = relative(parent, real).split(sep)
      if (own && first === 'output') return null
      // An agent may live inside another's `.string`, as the default homes do when a person's own folder is a home.
      if (!own && isInside(parent, ownHome) && isInside(ownHome, real)) continue
      return KEEPERS.get(first) ?? 'It holds what commands manage: /set, /install'
    }
    return null
  }

  #isOpen(real: string): boolean {
    const { home, allowed, readable = null } = this.#scope
    if (readable !== null && isInside(this.#realFolder(readable), real)) return true
    return isInside(this.#realFolder(home), real) || allowed.some((folder) => isInside(this.#realFolder(folder), real))
  }

  #realFolder(folder: string): string {
    const known = this.#scope.realFolders.get(folder)
    if (known !== undefined) return known
    const { real, exists } = realPath(folder)
    if (exists) this.#scope.realFolders.set(folder, real)
    return real
  }

  #isHome(path: string, ownHome: string): boolean {
    return path === ownHome || this.#scope.isHome(path)
  }
}

/** Whether a path leaves open where it starts. */
export function isBare(typed: string): boolean {
  return !isAbsolute(typed) && !isDotted(typed) && typed !== '~' && !typed.startsWith('~/')
}

/** Whether a path depends on the folder in which it is read. */
export function isRelative(typed: string): boolean {
  return isBare(typed) || isDotted(typed)
}

function isDotted(typed: string): boolean {
  return /^\.\.?(\/|$)/.test(typed)
}

function malformed(typed: string): Failure | null {
  if (typed === '') return fail('INVALID_PATH', 'The path is empty', '/ls shows what exists')
  if (typed.includes('\0') || !typed.isWellFormed())
    return fail('INVALID_PATH', `Not a path: ${typed.toWellFormed()}`, 'A path has no NUL and no half characters')
  if (typed.length > LIMITS.pathChars)
    return fail(
      'INVALID_PATH',
      `The path is longer than ${LIMITS.pathChars} characters`,
      'Give a shorter one, from a folder nearer to it',
    )
  return null
}

/** Whether a path is a folder or below it; both absolute. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** Files that the kernel makes up may block a reader for ever, even in a workspace that is the whole machine. */
function isKernelPath(real: string): boolean {
  return /^\/(proc|sys|dev)(\/|$)/.test(real)
}

/** Which folder would have to be open for a path that may be a file: nothing outside is looked at, and nobody is told to open the whole machine. */
function folderOf(path: string): string {
  return dirname(path) === sep ? path : dirname(path)
}

/** A path as it is typed in a shell. */
export function pathWord(path: string): string {
  return /^~?[\w@%+:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
