import { type DocumentMeta, LIMITS, type Topic } from '@string-os/protocol'
import type { Value } from '../action/value.ts'
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

/** What the reader sees of it. */
export interface DocumentFacts extends PageFacts {
  readonly page: number
  readonly pages: number
}

/** What the last edit of a topic did. */
export interface UndoStep {
  readonly path: string
  /** What was there before; null when the edit made the file. */
  readonly before: Buffer | null
  /** What the edit left. */
  readonly after: string
}

/** The state behind one topic. It lives in memory and ends with `/close`. */
export class Session {
  readonly topic: Topic
  /** When it began, as it is shown. */
  readonly since: string
  document: OpenDocument | null = null
  readonly history: Address[] = []
  /** Working directories that callers have sent: part of the workspace until the session ends. */
  readonly workingDirs = new Set<string>()
  /** Where the folders of the workspace really are, looked up once: a folder that is moved later stays where it was. */
  readonly realFolders = new Map<string, string>()
  readonly #located = new Map<string, Place>()
  #locatedFor: object | null = null
  /** What this topic last saw of a file, by its real path; null when there was none. An edit of anything else is a conflict. */
  readonly seen = new Map<string, string | null>()
  undo: UndoStep | null = null
  mode: 'edit' | null = null
  readonly variables = new TopicVariables()
  /** What responses of actions have left under `@name`. */
  readonly values = new Map<string, Value>()
  closed = false
  /** Its first answer has been given. */
  isKnown = false

  constructor(topic: Topic, since: Date) {
    this.topic = topic
    this.since = since.toISOString()
  }

  /** Opens a caller's working directory to file commands; of very many, the oldest are closed again. */
  allow(dir: string): void {
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

  /** From now on an edit of this file is one of what it is now; null when there is none. */
  see(real: string, print: string | null): void {
    this.seen.delete(real)
    this.seen.set(real, print)
    const [oldest = ''] = this.seen.keys()
    if (this.seen.size > LIMITS.seenFiles) this.seen.delete(oldest)
  }

  /** Keeps values under `@name`; the ones that a stem had before go, and of very many the oldest. */
  keepValues(entries: readonly (readonly [name: string, value: Value])[], stem: (name: string) => string): void {
    const stems = new Set(entries.map(([name]) => stem(name)))
    for (const name of this.values.keys()) if (stems.has(stem(name))) this.values.delete(name)
    for (const [name, value] of entries) this.values.set(name, value)
    for (const name of [...this.values.keys()].slice(0, -LIMITS.valueShortcuts)) this.values.delete(name)
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

  meta(): DocumentMeta | null {
    if (this.document === null) return null
    const { address, uri, title, facts } = this.document
    const { block } = address
    return { uri, title, current_block: block === null ? null : `#${block}`, ...extras(facts) }
  }
}

/** Beyond the protocol's fields, only what there is. */
function extras({ actions, menus, warnings, page, pages }: DocumentFacts): Partial<DocumentMeta> {
  return {
    ...(actions.length === 0 ? {} : { actions }),
    ...(menus.length === 0 ? {} : { menus }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(pages === 1 ? {} : { page, pages }),
  }
}
