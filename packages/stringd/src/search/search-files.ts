import { closeSync, type Dirent, openSync, readdirSync, readlinkSync, readSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { decodeText } from '../files/text.ts'
import { isInside } from '../files/workspace.ts'
import { isTemporary } from '../store/atomic-file.ts'
import { AS_LISTED, ignoredAround, inFolder, rulesIn } from './git-rules.ts'
import type { Ignored } from './ignore.ts'
import type { Matcher } from './pattern.ts'
import type { FoundFile, GuardAnswer, GuardQuestion, SearchPlace, SearchSummary, SearchTask } from './search-task.ts'
import { type FoundInText, searchText } from './search-text.ts'

export interface SearchParts {
  readonly task: SearchTask
  readonly matcher: Matcher
  readonly found: (file: FoundFile) => void
  readonly ask: (question: GuardQuestion) => Promise<GuardAnswer>
}

/** A folder that may be entered, and what git ignores in it. */
interface Entered {
  readonly path: string
  readonly real: string
  readonly ignored: Ignored | null
}

/** Folders that the guard is asked about at once. */
const ASKED = 256
/** Most files are smaller, and read in one go. */
const READ_BYTES = 64 * 1024
/** Of a path, the end that tells whose it is. */
const HASHED_CHARS = 24

/**
 * Looks through a file or a folder and all below it, the nearest first, until there is enough or no time is left. Folders are
 * entered by real paths that the guard allowed, and a file that has something counts only where it really is at its own.
 */
export class FileSearch {
  readonly #parts: SearchParts
  readonly #end: number
  readonly #entered = new Set<string>()
  #links: string[] = []
  #buffer = Buffer.allocUnsafe(READ_BYTES)
  #room: number
  #summary = { files: 0, binary: 0, tooLarge: 0, unreadable: 0 }
  #stopped: SearchSummary['stopped'] = null

  constructor(parts: SearchParts) {
    this.#parts = parts
    this.#end = performance.now() + parts.task.withinMs
    this.#room = parts.task.filesOnly ? LIMITS.foundFiles : LIMITS.foundLines
  }

  async run(): Promise<SearchSummary> {
    const { root, above } = this.#parts.task
    if (root.isFolder) await this.#folders([{ ...root, ignored: ignoredAround(root.real, above) }])
    else this.#file(root.real, root.path)
    return { ...this.#summary, stopped: this.#stopped }
  }

  /** Level by level; links come last, so that what they lead to is found under its own name where it has one here. */
  async #folders(start: readonly Entered[]): Promise<void> {
    let level = start
    while (level.length > 0 || this.#links.length > 0) {
      const below: Entered[] = []
      for (const folder of level) {
        if (this.#isOver()) return
        below.push(...this.#folder(folder))
      }
      level = below.length > 0 ? await this.#admitted(below) : await this.#linked()
    }
  }

  async #admitted(folders: readonly Entered[]): Promise<Entered[]> {
    const result: Entered[] = []
    for (let at = 0; at < folders.length; at += ASKED) {
      const some = folders.slice(at, at + ASKED)
      const answer = await this.#parts.ask({ folders: some.map(({ real }) => real), links: [] })
      result.push(...some.filter((_, index) => answer.folders[index] === true))
    }
    return result
  }

  /** What links lead to that was not seen yet. One that leads to where the search began, or above it, is not followed. */
  async #linked(): Promise<Entered[]> {
    const links = this.#links.splice(0, ASKED)
    if (links.length === 0) return []
    const { root } = this.#parts.task
    const answer = await this.#parts.ask({ folders: [], links })
    const isNew = ({ real, isFolder }: SearchPlace): boolean =>
      isFolder ? !this.#entered.has(real) && !isInside(real, root.real) : !this.#entered.has(dirname(real))
    const places = answer.links.filter((place) => place !== null).filter(isNew)
    for (const place of places.filter(({ isFolder, real }) => !isFolder && this.#isMine(real))) {
      if (this.#isOver()) return []
      this.#file(place.real, place.path)
    }
    return places.filter(({ isFolder }) => isFolder).map(({ path, real }) => ({ path, real, ignored: null }))
  }

  /** Looks through the files of a folder; returns the folders in it. */
  #folder({ path, real, ignored }: Entered): Entered[] {
    if (this.#entered.has(real)) return []
    this.#entered.add(real)
    const entries = this.#open(real, () => readdirSync(real, { withFileTypes: true }))
    if (entries === null) return []
    const rules = rulesIn(real, entries, ignored)
    return this.#entries({ path, real, ignored: rules }, entries.filter(isOrdinary).sort(byName))
  }

  #entries({ path, real, ignored }: Entered, entries: readonly Dirent[]): Entered[] {
    const below: Entered[] = []
    for (const entry of entries) {
      const { name } = entry
      const isFolder = entry.isDirectory()
      const at = inFolder(real, name)
      if (ignored?.has(at, name, isFolder) === true) continue
      if (isFolder) below.push({ path: inFolder(path, name), real: at, ignored })
      else if (entry.isSymbolicLink()) this.#links.push(inFolder(path, name))
      else if (entry.isFile() && this.#isMine(at)) {
        if (this.#isOver()) return []
        this.#file(at, inFolder(path, name))
      }
    }
    return below
  }

  #file(real: string, path: string): void {
    const { task, found } = this.#parts
    const inFile = this.#open(real, () => this.#inFile(real, path))
    if (inFile === null) return
    const { lines, total } = inFile
    this.#room -= task.filesOnly ? 1 : lines.filter(({ isMatch }) => isMatch).length
    found({ path, lines: task.filesOnly ? [] : lines, total })
    if (this.#room <= 0) this.#stopped = 'enough'
  }

  /** What a file has of it. Only where it has some, the system is asked whether this is the file that passed the guard. */
  #inFile(real: string, path: string): FoundInText | null {
    const { matcher, task } = this.#parts
    const descriptor = openSync(real, AS_LISTED)
    try {
      const bytes = this.#read(descriptor)
      if (bytes === null) return null
      this.#summary.files += 1
      const inText = matcher.mayHold(bytes) ? this.#inText(bytes) : null
      const isNamed = task.filesOnly && matcher.inLine(nameBelow(path, task.root.path)) !== null
      const found = inText ?? (isNamed ? { lines: [], total: 0 } : null)
      return found !== null && isAt(descriptor, real) ? found : null
    } finally {
      closeSync(descriptor)
    }
  }

  #inText(bytes: Buffer): FoundInText | null {
    const { matcher, task } = this.#parts
    const text = decodeText(bytes)
    if (text === null) {
      if (matcher.next !== null) this.#summary.binary += 1
      return null
    }
    const most = Math.min(this.#room, task.root.isFolder ? LIMITS.foundLinesInFile : LIMITS.foundLines)
    return searchText(text, matcher, { matches: task.filesOnly ? 0 : most, context: task.context })
  }

  /** All of a file, in a buffer that the next one gets; null for what is too large. */
  #read(descriptor: number): Buffer | null {
    let length = 0
    for (;;) {
      length += readSync(descriptor, this.#buffer, length, this.#buffer.length - length, null)
      if (length > LIMITS.documentBytes) {
        this.#summary.tooLarge += 1
        return null
      }
      if (length < this.#buffer.length) return this.#buffer.subarray(0, length)
      this.#buffer = Buffer.concat([this.#buffer, Buffer.allocUnsafe(3 * this.#buffer.length)])
    }
  }

  /** Null for what is closed to us, gone, or something else by now. */
  #open<T>(real: string, open: () => T): T | null {
    try {
      return open()
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === undefined) throw error
      if ((code === 'EACCES' || code === 'EPERM') && this.#isMine(real)) this.#summary.unreadable += 1
      return null
    }
  }

  /** By the path alone: whatever changes meanwhile, each file belongs to one of the threads. */
  #isMine(real: string): boolean {
    const { of, index } = this.#parts.task.share
    let sum = 0
    for (let at = Math.max(0, real.length - HASHED_CHARS); at < real.length; at += 1) sum += real.charCodeAt(at)
    return sum % of === index
  }

  #isOver(): boolean {
    if (this.#stopped === null && performance.now() > this.#end) this.#stopped = 'time'
    return this.#stopped !== null
  }
}

/** A folder on the way may have been swapped for a link since it was listed. Systems other than Linux do not tell. */
function isAt(descriptor: number, real: string): boolean {
  return process.platform !== 'linux' || readlinkSync(`/proc/self/fd/${descriptor}`) === real
}

function isOrdinary({ name }: Dirent): boolean {
  return name !== '.git' && !isTemporary(name)
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1
}

function nameBelow(path: string, root: string): string {
  return path === root ? basename(path) : path.slice(root.length + 1)
}
