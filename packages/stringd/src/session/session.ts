import { type DocumentMeta, LIMITS, type Topic } from '@string-os/protocol'

/** The document a topic shows. */
export interface OpenDocument {
  readonly uri: string
  readonly title: string | null
  readonly block: string | null
  /** How messages name it: as it was typed. */
  readonly shown: string
  /** Where paths beside it start. */
  readonly folder: string
}

/** The state behind one topic. It lives in memory and ends with `/close`. */
export class Session {
  readonly topic: Topic
  readonly since: Date
  document: OpenDocument | null = null
  /** Working directories that callers have sent: part of the workspace until the session ends. */
  readonly workingDirs = new Set<string>()
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

  meta(): DocumentMeta | null {
    if (this.document === null) return null
    const { uri, title, block } = this.document
    return { uri, title, current_block: block }
  }
}
