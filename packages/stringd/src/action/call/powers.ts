import type { Failure } from '@string-os/protocol'
import type { PageOrigin } from '../../web/admission.ts'

/** Who has written a path, which says where it starts: in the caller's folder, or beside the document, whose package is open to it. */
export type PathOf = 'caller' | { readonly beside: string; readonly package: string | null }

/** The files that an action may read and write: those of the workspace, each looked at when it is used. */
export interface ActionFiles {
  readonly read: (path: string, by: PathOf) => { readonly ok: true; readonly bytes: Buffer } | Failure
  /** Why `write` would refuse a path, as far as that is known without writing; null where nothing speaks against it. */
  readonly refused: (path: string) => Failure | null
  /** Replaces the file as a whole; makes folders. `shown` is how messages name it. */
  readonly write: (path: string, bytes: Uint8Array) => Promise<{ readonly ok: true; readonly shown: string } | Failure>
}

export interface VariableValue {
  readonly ok: true
  readonly value: string
  /** It stands in the document for everyone to read, so there is nothing to mask. */
  readonly isPublic?: boolean
}

/** What a document may do when one of its actions is asked for; decided once, from where the document came. */
export interface Powers {
  readonly kind: 'package' | 'file' | 'page'
  /** The value of `$NAME`, or what to do to get one (`ENV_REQUIRED`). It is masked in everything that is shown. */
  readonly variable: (name: string) => VariableValue | Failure
  /** What a call knows by itself: `$CWD` and the like, before every stored variable. Commands have them in their environment. */
  readonly context: ReadonlyMap<string, string>
  /** Names of variables that commands have in their environment, whether the template names them or not. */
  readonly listed: readonly string[]
  /** The agent's home, which `~` at the begin of a path means. */
  readonly home: string
  /** Where commands run; null: where the caller is. */
  readonly folder: string | null
  /** Where the document is, in which paths start that its author has written; null for a page from the web. */
  readonly beside: string | null
  /** Null: no file pipes, no `save:`. */
  readonly files: ActionFiles | null
  /** The page that asks, for the rules on where a page may reach; null for files and packages. */
  readonly origin: PageOrigin | null
}
