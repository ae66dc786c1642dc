import { posix } from 'node:path'
import { LIMITS, listNames, nearest } from '@string-os/protocol'
import type { Document } from '../../document/document.ts'
import { indexPage } from '../../document/page.ts'
import { FOLDER_DOCUMENTS } from '../../document/parse/file-names.ts'
import { parseTarget, splitLineRange } from '../../library/target.ts'
import { checkAction } from './check-action.ts'
import { misspeltDirectives } from './check-directives.ts'
import { alikeFences } from './check-fences.ts'
import type { CheckedPackage } from './checked-package.ts'
import type { PackageProblem } from './package-problem.ts'

/** Everything that a reader or a caller of this document would stumble over. */
export function checkDocument(file: string, document: Document, whole: CheckedPackage): PackageProblem[] {
  const page = indexPage({ document, base: file, includes: new Map() })
  const warnings = page.warnings.map(({ line, message, next }) => ({ file, line, problem: message, next }))
  const targets = [...document.links, ...document.directives]
  return [
    ...warnings,
    ...checkTargets(file, targets, whole),
    ...document.actions.flatMap((source) => checkAction(file, source, document, whole)),
    ...lonelyResponses(document).map((found) => ({ file, ...found })),
    ...alikeFences(document).map((found) => ({ file, ...found })),
    ...misspeltDirectives(document).map((found) => ({ file, ...found })),
  ]
}

/** What would become of an answer that nothing asks for. */
function lonelyResponses({ actions }: Document): Omit<PackageProblem, 'file'>[] {
  const ids = actions.filter(({ part }) => part === 'action').map(({ id }) => id)
  const known = new Set(ids)
  const lonely = actions.filter(({ id, part }) => part === 'response' && !known.has(id))
  // Of very many, nobody reads more than the first.
  return lonely.slice(0, LIMITS.documentWarnings).map(({ id, line }) => {
    const close = nearest(id, ids)
    const meant = close === null ? '' : `Did you mean act.${close}.response? Else w`
    return {
      line: line - 1,
      problem: `The response of action ${id} is never used: this document has no act.${id}`,
      next: `${meant === '' ? 'W' : meant}rite the block act.${id}, or remove this one`,
    }
  })
}

/** Each target is looked at once, and of very many that are wrong nobody reads more than the first. */
function checkTargets(
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
  if ((parsed.kind !== 'path' && parsed.kind !== 'block') || /^[~/]|[{}$]/.test(target)) return []
  const typed = parsed.kind === 'path' ? (splitLineRange(parsed.path)?.path ?? parsed.path) : posix.basename(file)
  const wrong = (problem: string, next: string): PackageProblem[] => [{ file, line, problem, next }]
  if (spellingsOf(file, typed).every((path) => path.startsWith('..')))
    return wrong(`${target} leads out of the package`, 'Put what it means into the package, or give its URL')
  const found = fileAt(file, typed, whole)
  if (found === null) return wrong(`${target} is not there`, 'Give the path of a file of the package')
  if (parsed.block === null || parsed.block === '' || !whole.documents.has(found)) return []
  const names = partsIn(found, whole)
  if (names === null || names.has(parsed.block)) return []
  return wrong(`${found} has no part #${parsed.block}`, `Parts: ${listNames([...names]) || '(none)'}`)
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
  const pages = withIncluded(file, whole)
  const parts = pages === null ? null : new Set(pages.flatMap(ownParts))
  whole.parts.set(file, parts)
  return parts
}

/** A page and what it includes, each once. */
function withIncluded(file: string, whole: CheckedPackage): Document[] | null {
  const found = new Map<string, Document>()
  const waiting: (string | null)[] = [file]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const document = path === null ? undefined : whole.documents.get(path)
    if (path === null || document === undefined) return null
    if (found.has(path)) continue
    found.set(path, document)
    for (const { type, target } of document.directives)
      if (type === 'include' && target !== '') waiting.push(includedFrom(path, target, whole))
  }
  return [...found.values()]
}

function includedFrom(file: string, target: string, whole: CheckedPackage): string | null {
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
