import type { Document } from '../../document/document.ts'
import type { PackageFile } from '../source/package-files.ts'

export type HasProgram = (name: string) => boolean

/** The documents of a package by their paths, and the names of all its files. */
export interface CheckedPackage {
  readonly documents: ReadonlyMap<string, Document>
  readonly paths: ReadonlySet<string>
  /** In which those are. */
  readonly folders: ReadonlySet<string>
  readonly files: ReadonlyMap<string, PackageFile>
  /** Names of the variables that it lists; null where its front matter cannot be read. */
  readonly listed: readonly string[] | null
  /** Values that those of them have which nobody has set. */
  readonly defaults: ReadonlyMap<string, string>
  /** Of each page that a link led to, what parts it has; null where that is not known. Filled as they are asked for. */
  readonly parts: Map<string, ReadonlySet<string> | null>
  /** Whether this machine has a program; null where that is not asked. */
  readonly hasProgram: HasProgram | null
  /** What its author calls the document that is opened. */
  readonly main: string
  /** How one of its files is named where the person stands who mends it. */
  readonly seen: (path: string) => string
}
