import { Workspace, type WorkspaceScope } from '../files/workspace.ts'
import { CommandBudget } from '../library/command-budget.ts'
import { ownFolder } from '../packages/use/own-folder.ts'
import { Reader, type ReaderParts } from './reader.ts'

export interface TopicReadingParts extends Omit<ReaderParts, 'workspace' | 'budget'> {
  readonly scope: Omit<WorkspaceScope, 'own' | 'readable'>
  /** Its signal ends when the command is stopped; it is made when somebody looks at it. */
  readonly command: { readonly signal: AbortSignal }
}

/** What one command in a topic reads with. What it does not use is not made. */
export class TopicReading {
  readonly #parts: TopicReadingParts
  #workspace: Workspace | null = null
  #budget: CommandBudget | null = null
  #reader: Reader | null = null

  constructor(parts: TopicReadingParts) {
    this.#parts = parts
  }

  /** The topic's own package. */
  get own(): TopicReadingParts['own'] {
    return this.#parts.own
  }

  get workspace(): Workspace {
    this.#workspace ??= new Workspace(this.#scope)
    return this.#workspace
  }

  /** Of the whole command, however many readers it uses. */
  get budget(): CommandBudget {
    this.#budget ??= new CommandBudget(this.#parts.command)
    return this.#budget
  }

  /** To it the topic's own package is open. */
  get reader(): Reader {
    const folder = this.#parts.own?.folder ?? null
    this.#reader ??= folder === null ? this.#in(this.workspace) : this.readerIn(folder)
    return this.#reader
  }

  /** A reader to which a folder is open that is closed to the topic. */
  readerIn(folder: string | null): Reader {
    return this.#in(new Workspace({ ...this.#scope, readable: folder, located: new Map() }))
  }

  get #scope(): WorkspaceScope {
    const { scope, own } = this.#parts
    return own === null ? scope : { ...scope, own: ownFolder(own) }
  }

  #in(workspace: Workspace): Reader {
    const { library, session, hubPage, own, installed } = this.#parts
    return new Reader({ library, workspace, session, hubPage, own, installed, budget: this.budget })
  }
}
