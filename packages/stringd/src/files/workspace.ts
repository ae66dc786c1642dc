import { readlinkSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { type Failure, fail, LIMITS } from '@string-os/protocol'
import { isSameFile } from './same-file.ts'

/** What decides where a path may lead, and where it starts. */
export interface WorkspaceScope {
  readonly home: string
  /** The agent's allowed paths and the working directories sent in this session. */
  readonly allowed: readonly string[]
  /** The caller's working directory for this one command. */
  readonly cwd: string | null
  /** The folder of the current document. */
  readonly folder: string | null
  /** The daemon's own folder: closed to every file command. */
  readonly dataDir: string
  /** What has passed the guard before: as long as it is the same file, it need not be followed again. */
  readonly located: Map<string, Place>
  /** Where the folders of the workspace really are, looked up once. */
  readonly realFolders: Map<string, string>
  /** A closed folder that is open to this one: a package, to those who read its documents. */
  readonly readable?: string | null
  /** Whether some agent lives in this folder: its `.string` is closed too. */
  readonly isHome: (path: string) => boolean
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

/** As many as the kernel follows. */
const MAX_LINKS = 40

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

  locate(typed: string): Place | Failure {
    const refusal = malformed(typed)
    if (refusal !== null) return refusal
    const { path, stat = look(path) } = this.#resolve(typed)
    return this.#known(path, stat) ?? this.#guard(typed, path)
  }

  /** Where commands run: in the caller's folder, else in the document's, but never in a closed one. */
  get start(): string {
    const { cwd, folder, home } = this.#scope
    return cwd ?? (folder === null || this.#closedBy(realPath(folder).real) !== null ? home : folder)
  }

  /** How a path is shown where none was typed: relative to home. */
  show(path: string): string {
    const below = relative(this.#scope.home, path)
    if (below === '') return '~'
    return below.startsWith('..') || isAbsolute(below) ? path : below
  }

  /** The folders that are open to file commands, as an error lists them. */
  folders(): string[] {
    return [...new Set([this.#scope.home, ...this.#scope.allowed])]
  }

  /** The path that is meant, and how it looks where that had to be found out. */
  #resolve(typed: string): { path: string; stat?: Stats } {
    const { home, cwd, folder } = this.#scope
    if (typed === '~' || typed.startsWith('~/')) return { path: join(home, typed.slice(1)) }
    if (isAbsolute(typed)) return { path: resolve(typed) }
    if (/^\.\.?(\/|$)/.test(typed)) return { path: resolve(cwd ?? folder ?? home, typed) }
    const bases = new Set([folder, cwd, home].filter((base) => base !== null))
    for (const base of bases) {
      const path = resolve(base, typed)
      const stat = look(path)
      if (stat !== null) return { path, stat }
    }
    return { path: resolve(cwd ?? home, typed) }
  }

  /** A place that passed before, has not been touched since, and is still where it was. */
  #known(path: string, stat: Stats | null): Place | null {
    const place = this.#scope.located.get(path)
    if (place === undefined || place.stat === null || stat === null) return null
    return isSameFile(stat, place.stat) && realPath(path).real === place.real ? place : null
  }

  #guard(typed: string, path: string): Place | Failure {
    const { real, exists } = realPath(path)
    const closed = this.#closedBy(real)
    if (closed !== null) return fail('INVALID_PATH', `Closed folder: ${typed}`, closed)
    if (this.#isOpen(real) && !isKernelPath(real))
      return this.#remember({ ok: true, path, real, exists, stat: exists ? look(real) : null })
    return fail(
      'INVALID_PATH',
      `Outside the workspace: ${typed}`,
      `Allowed: ${this.folders().join(', ')}`,
      'string agent add ID --allow DIR opens another folder',
    )
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
    const { dataDir, home, readable = null } = this.#scope
    if (readable !== null && isInside(this.#realFolder(readable), real)) return null
    if (isInside(this.#realFolder(dataDir), real)) return 'It holds the state of the daemon; string --daemon manages it'
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
    const { home, allowed } = this.#scope
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

function look(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    // A link to itself, or a folder that is closed to us: nothing that could be meant.
    return null
  }
}

/** The real path; of what does not exist, the real path of the nearest folder that does, and the rest as it stands. */
function realPath(path: string, links = 0): { real: string; exists: boolean } {
  try {
    return { real: realpathSync.native(path), exists: true }
  } catch {
    // Absent, a link to nothing or to itself, or not ours to look into: where it would be is what counts.
    const target = links < MAX_LINKS ? linkTarget(path) : null
    if (target !== null) return { real: realPath(resolve(dirname(path), target), links + 1).real, exists: false }
    const parent = dirname(path)
    return { real: parent === path ? path : join(realPath(parent, links).real, basename(path)), exists: false }
  }
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    // Not a link.
    return null
  }
}

/** Whether a path is a folder or below it; both absolute. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** Files that the kernel makes up may block a reader for ever, even in a workspace that is the whole machine. */
function isKernelPath(real: string): boolean {
  return /^\/(proc|sys|dev)(\/|$)/.test(real)
}
