import { LIMITS, nearest } from '@string-os/protocol'
import type { Document } from '../../document/document.ts'
import { indexPage } from '../../document/page.ts'
import { checkAction } from './check-action.ts'
import { misspeltDirectives } from './check-directives.ts'
import { alikeFences } from './check-fences.ts'
import { missingImages } from './check-images.ts'
import { doubledActions, emptyMenus } from './check-included.ts'
import { checkTargets } from './check-targets.ts'
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
    ...emptyMenus(file, document, whole),
    ...doubledActions(file, document, whole),
    ...missingImages(file, document, whole),
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
