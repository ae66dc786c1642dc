import { type DocumentMeta, LIMITS, type Topic } from '@string-os/protocol'
import { type Address, uriOf } from './address.ts'
import type { Loaded } from './library.ts'

/** The document that a topic shows. */
export interface OpenDocument {
  readonly address: Address
  readonly title: string | null
  /** Where paths beside it start; null for what is no file. */
  readonly folder: string | null
  /** A page from the web is kept as it came; a file is read again when it is needed. */
  readonly held: Loaded | null
  /** `--source` was asked for: further pages are of the raw text. */
  readonly source: boolean
  readonly facts: DocumentFacts
}

/** What there is to know about a document without loading it again. */
export interface DocumentFacts {
  readonly actions: readonly string[]
  readonly menus: readonly string[]
  readonly blocks: readonly string[]
  readonly warnings: readonly string[]
  readonly page: number
  readonly pages: number
}

/** The state behind one topic. It lives in memory and ends with `/close`. */
export class Session {
  readonly topic: Topic
  readonly since: Date
  document: OpenDocument | null = null
  readonly history: Address[] = []
  /** Working directories that callers have sent: part of the workspace until the session ends. */
  readonly workingDirs = new Set<string>()
  /** Where the folders of the workspace really are, looked up once: a folder that is moved later stays where it was. */
  readonly realFolders = new Map<string, string>()
  closed = false

  constructor(topic: Topic, since: Date) {
    this.topic = topic
    this.since = since
  }

  /** Opens a caller's working directory to file commands; of very many, the oldest are closed again. */
  allow(dir: string): void {
    this.workingDirs.delete(dir)
    this.workingDirs.add(dir)
    const [oldest = ''] = this.workingDirs
    if (this.workingDirs.size > LIMITS.workingDirs) this.workingDirs.delete(oldest)
  }

  /** Shows another document; the one before can be gone back to. */
  show(document: OpenDocument): void {
    const before = this.document?.address
    this.document = document
    if (before === undefined || isSame(before, document.address)) return
    this.history.push(before)
    if (this.history.length > LIMITS.historyEntries) this.history.shift()
  }

  meta(): DocumentMeta | null {
    if (this.document === null) return null
    const { address, title, facts } = this.document
    const { block } = address
    return { uri: uriOf(address), title, current_block: block === null ? null : `#${block}`, ...extras(facts) }
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

function isSame(a: Address, b: Address): boolean {
  return a.block === b.block && uriOf(a) === uriOf(b)
}
