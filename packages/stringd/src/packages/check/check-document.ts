import { posix } from 'node:path'
import { listNames } from '@string-os/protocol'
import type { Document } from '../../document/document.ts'
import { FOLDER_DOCUMENTS } from '../../document/parse/file-names.ts'
import { parseTarget, splitLineRange } from '../../library/target.ts'
import { checkAction } from './check-action.ts'
import { alikeFences } from './check-fences.ts'
import type { CheckedPackage } from './checked-package.ts'
import type { PackageProblem } from './package-problem.ts'

/** Everything that a reader or a caller of this document would stumble over. */
export function checkDocument(file: string, document: Document, whole: CheckedPackage): PackageProblem[] {
  const warnings = document.warnings.map(({ line, message, next = nextOf(message) }) => ({
    file,
    line,
    problem: message,
    next,
  }))
  const targets = [...document.links, ...document.directives]
  return [
    ...warnings,
    ...targets.flatMap(({ line, target }) => checkTarget(file, line, target, whole)),
    ...document.actions.flatMap((source) => checkAction(file, source, document, whole)),
    ...alikeFences(document).map((found) => ({ file, ...found })),
  ]
}

/** What to do about a warning that says itself how it is written. */
function nextOf(message: string): string {
  if (message.includes('stands twice')) return 'Give the second another name, or remove it'
  return message.includes('cannot be seen')
    ? 'Type that line anew'
    : 'Write the line that way; string app init NAME makes a package to compare with'
}

/** A file that is not there, outside of the package, or without the part that is meant. */
function checkTarget(
  file: string,
  line: number,
  target: string,
  { documents, paths }: CheckedPackage,
): PackageProblem[] {
  const parsed = parseTarget(target)
  // Where it starts at home or at the root, it is no file of the package; where it has a variable, it is not known.
  if (target === '') return []
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
