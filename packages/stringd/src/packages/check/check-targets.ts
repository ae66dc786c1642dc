import { posix } from 'node:path'
import { LIMITS, listNames } from '@string-os/protocol'
import type { Document } from '../../document/document.ts'
import { FOLDER_DOCUMENTS } from '../../document/parse/file-names.ts'
import { parseTarget, splitLineRange } from '../../library/target.ts'
import type { CheckedPackage } from './checked-package.ts'
import type { PackageProblem } from './package-problem.ts'

/** Each target is looked at once, and of very many that are wrong nobody reads more than the first. */
export function checkTargets(
  file: string,
  targets: readonly { readonly line: number; readonly target: string }[],
  whole: CheckedPackage,
): PackageProblem[] {
  const problems: PackageProblem[] = []
  const known = new Map<string, PackageProblem | null>()
  for (const { line, target } of targets) {
    if (problems.length === LIMITS.documentWarnings) break
    const seen = known.get(target)
    const problem = seen === undefined ? (checkTarget(file, line, target, whole)[0] ?? null) : seen
    known.set(target, problem)
    if (problem !== null) problems.push({ ...problem, line })
  }
  return problems
}

/** A file that is not there, outside of the package, or without the part that is meant. */
function checkTarget(file: string, line: number, target: string, whole: CheckedPackage): PackageProblem[] {
  const parsed = parseTarget(target)
  // Where it starts at home or at the root, it is no file of the package; where it has a variable, it is not known.
  if (target === '') return []
  if (/^\/(?!\/)[^{}$]*$/.test(target))
    return [
      {
        file,
        line,
        problem: `${target} is a path of this machine: whoever installs the package has nothing there`,
        next: `Put what it means into the package, and write the path from ${file}`,
        isDoubt: true,
      },
    ]
  if ((parsed.kind !== 'path' && parsed.kind !== 'block') || /^[~/]|[{}$]/.test(target)) return []
  const typed = parsed.kind === 'path' ? (splitLineRange(parsed.path)?.path ?? parsed.path) : posix.basename(file)
  const wrong = (problem: string, next: string): PackageProblem[] => [{ file, line, problem, next }]
  if (spellingsOf(file, typed).every((path) => path.startsWith('..')))
    return wrong(`${target} leads out of the package`, 'Put what it means into the package, or give its URL')
  const found = fileAt(file, typed, whole)
  if (found === null)
    return wrong(`${target} is not there`, elsewhere(file, typed, whole) ?? 'Give the path of a file of the package')
  if (parsed.block === null || parsed.block === '' || !whole.documents.has(found)) return []
  const names = partsIn(found, whole)
  if (names === null || names.has(parsed.block)) return []
  return wrong(`${found} has no part #${parsed.block}`, `Parts: ${listNames([...names]) || '(none)'}`)
}

/** Where files of that name are, as they are written here. */
function elsewhere(file: string, typed: string, { paths }: CheckedPackage): string | null {
  const name = posix.basename(typed)
  const found = [...paths].filter((path) => posix.basename(path) === name).sort()
  const written = found.map((path) => posix.relative(posix.dirname(file), path))
  return written.length === 0 ? null : `Did you mean ${listNames(written.slice(0, LIMITS.documentWarnings))}?`
}

/** What a path leads to from a document; of a folder the document that is opened. */
function fileAt(file: string, typed: string, { documents, paths, folders }: CheckedPackage): string | null {
  const spellings = spellingsOf(file, typed)
  const found = spellings.find((path) => path === '.' || paths.has(path) || folders.has(path)) ?? null
  return found === null || documents.has(found) ? found : pageOf(found, paths) || found
}

function spellingsOf(file: string, typed: string): string[] {
  return [typed, decoded(typed)].map((each) => posix.join(posix.dirname(file), each).replace(/\/$/, ''))
}

/** The parts of a page, with those that its includes bring; null where one comes from elsewhere. */
function partsIn(file: string, whole: CheckedPackage): ReadonlySet<string> | null {
  const known = whole.parts.get(file)
  if (known !== undefined) return known
  const { pages, isComplete } = withIncluded(file, whole)
  const parts = isComplete ? new Set([...pages.values()].flatMap(ownParts)) : null
  whole.parts.set(file, parts)
  return parts
}

/** A page and what it includes, each once; not complete where some of it comes from elsewhere. */
export function withIncluded(
  file: string,
  whole: CheckedPackage,
): { readonly pages: ReadonlyMap<string, Document>; readonly isComplete: boolean } {
  const pages = new Map<string, Document>()
  let isComplete = true
  const waiting: (string | null)[] = [file]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const document = path === null ? undefined : whole.documents.get(path)
    if (path === null || document === undefined) {
      isComplete = false
      continue
    }
    if (pages.has(path)) continue
    pages.set(path, document)
    for (const { type, target } of document.directives)
      if (type === 'include' && target !== '') waiting.push(includedFrom(path, target, whole))
  }
  return { pages, isComplete }
}

export function includedFrom(file: string, target: string, whole: CheckedPackage): string | null {
  const parsed = parseTarget(target)
  return parsed.kind !== 'path' || /^[~/]|[{}$]/.test(target) ? null : fileAt(file, parsed.path, whole)
}

function ownParts({ blocks, sections }: Document): string[] {
  return [...blocks.map(({ id }) => id), ...sections.map(({ slug }) => slug)]
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
