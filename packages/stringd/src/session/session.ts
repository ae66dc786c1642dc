import { isAbsolute, normalize, relative } from 'node:path'
import { LIMITS, type Topic } from '@string-os/protocol'
import type { Value } from '../action/call/value.ts'
import type { Place } from '../files/workspace.ts'
import { type Address, isSameAddress } from '../library/address.ts'
import type { PageFacts } from '../library/library.ts'
import { TopicVariables } from './topic-variables.ts'

/** The document that a topic shows. */
export interface OpenDocument {
  readonly address: Address
  readonly uri: string
  readonly title: string | null
  /** Where paths beside it start; null for what is no file. */
  readonly folder: string | null
  /** `--source` was asked for: further pages are of the raw text. */
  readonly source: boolean
  readonly facts: DocumentFacts
}

/** The same, with its path in the app that the topic belongs to; null where it is no file of that. */
export interface ShownDocument extends OpenDocument {
  readonly appPath: string | null
}

/** What the reader sees of it. */
export interface DocumentFacts extends PageFacts {
  readonly page: number
  readonly pages: number
}

/** What an app topic knows of its app as it was at the last command: from where its documents came. */
export interface SeenInstallation {
  readonly id: string
  /** Null where the app is a linked page. */
  readonly folder: string | null
  readonly entry: string
}

/** What a topic knows of a file. */
interface SeenFile {
  readonly path: string
  /** Of what it last saw there: null when there was nothing, undefined where it saw only a part. */
  readonly print: string | null | undefined
  /** It was shown to the topic, and not only written by it. */
  readonly read: boolean
}

/** The state behind one topic. It lives in memory and ends with `/close`. */
export class Session {
  readonly topic: Topic
  /** When it began, as it is shown. */
  readonly since: string
  document: OpenDocument | null = null
  readonly history: Address[] = []
  installation: SeenInstallation | null = null
  /** Working directories that callers have sent: part of the workspace until the session ends. */
  readonly workingDirs = new Set<string>()
  #newestDir: string | null = null
  /** Where the folders of the workspace really are, looked up once: a folder that is moved later stays where it was. */
  readonly realFolders = new Map<string, string>()
  readonly #located = new Map<string, Place>()
  #locatedFor: object | null = null
  readonly #seen = new Map<string, SeenFile>()
  mode: 'edit' | null = null
  readonly variables = new TopicVariables()
  /** What responses of actions have left under `@name`. */
  readonly values = new Map<string, Value>()
  closed = false
  /** A command has succeeded in it, or printed something; or somebody has made it on purpose. */
  isUsed = false
  /** Its first answer has been given. */
  isKnown = false

  constructor(topic: Topic, since: Date) {
    this.topic = topic
    this.since = since.toISOString()
  }

  /** Opens a caller's working directory to file commands; of very many, the oldest are closed again. */
  allow(dir: string): void {
    if (dir === this.#newestDir) return
    this.#newestDir = dir
    this.workingDirs.delete(dir)
    this.workingDirs.add(dir)
    const [oldest = ''] = this.workingDirs
    if (this.workingDirs.size > LIMITS.workingDirs) this.workingDirs.delete(oldest)
  }

  /** What has passed the guard for an agent as it is now: one that was changed may have other folders. */
  located(agent: object): Map<string, Place> {
    if (this.#locatedFor !== agent) this.#located.clear()
    this.#locatedFor = agent
    return this.#located
  }

  /** What this topic last saw of a file; an edit of anything else is a conflict. Undefined when it saw nothing. */
  printOf({ real }: Place): string | null | undefined {
    return this.#seen.get(real)?.print
  }

  /** The topic was shown a file; without a print only a part of it. */
  hasRead(place: Place, print = this.printOf(place)): void {
    this.#see(place, { path: place.path, print, read: true })
  }

  /** It changed a file, or with null took it away. */
  hasWritten(place: Place, print: string | null): void {
    const { path, read } = this.#seen.get(place.real) ?? { path: place.path, read: false }
    this.#see(place, { path, print, read })
  }

  #see({ real }: Place, file: SeenFile): void {
    this.#seen.delete(real)
    this.#seen.set(real, file)
    const [oldest = ''] = this.#seen.keys()
    if (this.#seen.size > LIMITS.seenFiles) this.#seen.delete(oldest)
  }

  /** The file of this name that the topic has open, else the one that it read last. A name may begin with folders. */
  fileNamed(name: string): string | null {
    const end = `/${normalize(name)}`
    const open = this.document?.address
    const read = [...this.#seen].reverse().filter(([, file]) => file.read)
    const paths = read.flatMap(([real, { path }]) => [path, real])
    const all = open?.kind === 'file' ? [open.place.path, ...paths] : paths
    return all.find((path) => path.endsWith(end)) ?? null
  }

  /** Keeps values under `@name`; the ones that a stem had before go, and of very many the oldest. */
  keepValues(entries: readonly (readonly [name: string, value: Value])[], stem: (name: string) => string): void {
    const stems = new Set(entries.map(([name]) => stem(name)))
    for (const name of this.values.keys()) if (stems.has(stem(name))) this.values.delete(name)
    for (const [name, value] of entries) this.values.set(name, value)
    for (const name of [...this.values.keys()].slice(0, -LIMITS.valueShortcuts)) this.values.delete(name)
  }

  /** The document as whoever asks from outside is told of it. */
  get shown(): ShownDocument | null {
    if (this.document === null) return null
    const { address } = this.document
    const folder = this.installation?.folder ?? null
    const isFile = address.kind === 'file' || address.kind === 'folder'
    return { ...this.document, appPath: folder === null || !isFile ? null : pathIn(folder, address.place.path) }
  }

  /** Shows another document; the one before can be gone back to. */
  show(document: OpenDocument): void {
    this.mode = null
    const before = this.document?.address
    this.document = document
    if (before === undefined || isSameAddress(before, document.address)) return
    this.history.push(before)
    if (this.history.length > LIMITS.historyEntries) this.history.shift()
  }
}

function pathIn(folder: string, path: string): string | null {
  const way = relative(folder, path)
  return way === '' || way === '..' || way.startsWith('../') || isAbsolute(way) ? null : way
}
