import { posix } from 'node:path'
import { listNames } from '@string-os/protocol'
import { readAction } from '../../action/declare/compile.ts'
import { variablesNeeded } from '../../action/declare/needed-variables.ts'
import type { Document } from '../../document/document.ts'
import { FOLDER_DOCUMENTS } from '../../document/parse/file-names.ts'
import { parseTarget, splitLineRange } from '../../library/target.ts'
import { CONTEXT_NAMES } from '../use/package-powers.ts'
import type { PackageProblem } from './package-problem.ts'

/** The documents of a package by their paths, and the names of all its files. */
export interface CheckedPackage {
  readonly documents: ReadonlyMap<string, Document>
  readonly paths: ReadonlySet<string>
  /** Names of the variables that it lists. */
  readonly listed: readonly string[]
}

/** Everything that a reader or a caller of this document would stumble over. */
export function checkDocument(file: string, document: Document, whole: CheckedPackage): PackageProblem[] {
  const warnings = document.warnings.map(({ line, message }) => ({ file, line, problem: message, next: MEND }))
  const targets = [...document.links, ...document.directives]
  return [
    ...warnings,
    ...targets.flatMap(({ line, target }) => checkTarget(file, line, target, whole)),
    ...variablesOf(file, document, whole),
  ]
}

const MEND = 'Mend that line'

/** A file that is not there, outside of the package, or without the part that is meant. */
function checkTarget(
  file: string,
  line: number,
  target: string,
  { documents, paths }: CheckedPackage,
): PackageProblem[] {
  const parsed = parseTarget(target)
  // Where it starts at home or at the root, it is no file of the package; where it has a variable, it is not known.
  if ((parsed.kind !== 'path' && parsed.kind !== 'block') || /^[~/]|[{}$]/.test(target)) return []
  const typed = parsed.kind === 'path' ? (splitLineRange(parsed.path)?.path ?? parsed.path) : posix.basename(file)
  const wrong = (problem: string, next: string): PackageProblem[] => [{ file, line, problem, next }]
  const spellings = [typed, decoded(typed)].map((each) => posix.join(posix.dirname(file), each).replace(/\/$/, ''))
  if (spellings.every((path) => path.startsWith('..')))
    return wrong(`${target} leads out of the package`, 'Put what it means into the package, or give its URL')
  const found = spellings.find((path) => paths.has(path) || isFolder(path, paths))
  if (found === undefined) return wrong(`${target} is not there`, 'Give the path of a file of the package')
  const document = documents.get(found) ?? documents.get(pageOf(found, paths))
  if (parsed.block === null || parsed.block === '' || document === undefined) return []
  const names = partsOf(document)
  if (names.includes(parsed.block) || document.directives.length > 0) return []
  return wrong(`${found} has no part #${parsed.block}`, `Parts: ${listNames(names) || '(none)'}`)
}

function partsOf({ blocks, sections }: Document): string[] {
  return [...blocks.map(({ id }) => id), ...sections.map(({ slug }) => slug)]
}

function isFolder(path: string, paths: ReadonlySet<string>): boolean {
  return path === '.' || [...paths].some((each) => each.startsWith(`${path}/`))
}

function pageOf(folder: string, paths: ReadonlySet<string>): string {
  const pages = FOLDER_DOCUMENTS.map((name) => posix.join(folder, name))
  return pages.find((path) => paths.has(path)) ?? ''
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    // A percent sign that encodes nothing stands for itself.
    return target
  }
}

/** A variable that is not listed is never given, whoever sets it. */
function variablesOf(file: string, { actions }: Document, { listed }: CheckedPackage): PackageProblem[] {
  return actions.flatMap((source) => {
    const compiled = source.part === 'action' ? readAction(source) : null
    if (compiled?.ok !== true) return []
    const unlisted = variablesNeeded(compiled).filter((name) => !(listed.includes(name) || CONTEXT_NAMES.has(name)))
    return unlisted.map((name) => ({
      file,
      line: source.line,
      problem: `Action ${source.id} uses $${name}, which env does not list: it would never get it`,
      next: `Add ${name} to env in the front matter of string.md`,
    }))
  })
}
