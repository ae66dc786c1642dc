import { LIMITS } from '@string-os/protocol'
import type { Document } from '../../document/document.ts'
import { includedFrom } from './check-targets.ts'
import type { CheckedPackage } from './checked-package.ts'
import type { PackageProblem } from './package-problem.ts'

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const IMAGE = /!\[[^\][]{0,200}\]\(([^\s()]{1,500}\.(?:png|jpe?g|gif|svg|webp|avif))(?:\s[^()]{0,200})?\)/gi

/** Pictures that only a page in a browser would miss. Code may show how one is written. */
export function missingImages(file: string, { text }: Document, whole: CheckedPackage): PackageProblem[] {
  if (!text.includes('![')) return []
  const problems: PackageProblem[] = []
  let open: string | null = null
  for (const [at, written] of text.split('\n').entries()) {
    const [, fence = null] = FENCE.exec(written) ?? []
    if (open === null) open = fence
    else if (fence?.startsWith(open) === true) open = null
    if (open !== null || fence !== null || !written.includes('![') || /^(?: {4}|\t)/.test(written)) continue
    for (const [, target = ''] of written.replace(/`[^`]*`/g, '').matchAll(IMAGE)) {
      if (problems.length === LIMITS.documentWarnings) return problems
      if (/^[a-z][a-z0-9+.-]*:|^[/~]|[{}$]/i.test(target) || includedFrom(file, target, whole) !== null) continue
      const next = 'Give the path of a file of the package'
      problems.push({ file, line: at + 1, problem: `The picture ${target} is not there`, next, isDoubt: true })
    }
  }
  return problems
}
