import { type Failure, visibleLine } from '@string-os/protocol'

/** Something that is wrong with a package, and where. */
export interface PackageProblem {
  /** Relative to the package; empty for what concerns all of it. */
  readonly file: string
  /** Counted from 1; null where it is no line. */
  readonly line: number | null
  readonly problem: string
  readonly next: string
  /** It may be meant so: it is told, and is no reason to refuse anything. */
  readonly isDoubt?: true
}

/** `string.md:12: what is wrong`, and below it what to do. */
export function findingText({ file, line, problem, next, isDoubt }: PackageProblem): string {
  const where = [visibleLine(file), ...(line === null ? [] : [String(line)])].filter((part) => part !== '').join(':')
  const told = `${where === '' ? '' : `${where}: `}${visibleLine(problem)}\n  ${visibleLine(next)}`
  return isDoubt === true ? `warning: ${told}` : told
}

export function findingOf(file: string, line: number | null, { system, hints }: Failure): PackageProblem {
  return { file, line, problem: system, next: hints.join('. ') }
}

/** In the order in which one would mend them. */
export function inOrder(findings: readonly PackageProblem[]): PackageProblem[] {
  return findings.toSorted((a, b) => (a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : a.file < b.file ? -1 : 1))
}
