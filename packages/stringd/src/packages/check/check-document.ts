import { posix } from 'node:path'
import { LIMITS, listNames, nearest } from '@string-os/protocol'
import type { Document } from '../../document/document.ts'
import { indexPage } from '../../document/page.ts'
import { FOLDER_DOCUMENTS } from '../../document/parse/file-names.ts'
import { parseTarget, splitLineRange } from '../../library/target.ts'
import { checkAction } from './check-action.ts'
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
function checkTarget(
  file: string,
  line: number,
  target: string,
  { documents, paths, folders }: CheckedPackage,
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
  const found = spellings.find((path) => path === '.' || paths.has(path) || folders.has(path))
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
