import { count, type Failure, LIMITS, visibleLine } from '@string-os/protocol'

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
  /** The program that this machine lacks, which is no matter of the author's; `isRun`: by an action that can be called. */
  readonly lacks?: { readonly program: string; readonly isRun: boolean }
}

/** `string.md:12: what is wrong`, and below it what to do. */
export function findingText({ file, line, problem, next, isDoubt }: PackageProblem): string {
  const told = `${placeOf({ file, line })}${visibleLine(problem)}\n  ${visibleLine(next)}`
  return isDoubt === true ? `warning: ${told}` : told
}

function placeOf({ file, line }: Pick<PackageProblem, 'file' | 'line'>): string {
  const where = [visibleLine(file), ...(line === null ? [] : [String(line)])].filter((part) => part !== '').join(':')
  return where === '' ? '' : `${where}: `
}

/** As many of them, a line each, as one reads at once. */
export function mistakeLines(mistakes: readonly PackageProblem[]): string[] {
  const shown = mistakes.slice(0, LIMITS.packageMistakes)
  const more = mistakes.length - shown.length
  return [
    ...shown.map((mistake) => `- ${findingText(mistake).replace('\n ', '.')}`),
    ...(more === 0 ? [] : [`- and ${count(more, 'more thing')}: string app check names them`]),
  ]
}

/** Why a package is refused, and what else its author would be told the next time. */
export function withMistakes(failure: Failure, mistakes: readonly PackageProblem[]): Failure {
  const others = mistakes.filter(({ problem, isDoubt }) => problem !== failure.system && isDoubt !== true)
  const own = mistakes.find(({ problem }) => problem === failure.system)
  const system = own === undefined ? failure.system : `${placeOf(own)}${failure.system}`
  if (others.length === 0) return { ...failure, system }
  return { ...failure, system, hints: [...failure.hints, 'And:', ...mistakeLines(others)] }
}

export function findingOf(file: string, line: number | null, { system, hints }: Failure): PackageProblem {
  return { file, line, problem: system, next: hints.join('. ') }
}

/** In the order in which one would mend them. */
export function inOrder(findings: readonly PackageProblem[]): PackageProblem[] {
  return findings.toSorted((a, b) => (a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : a.file < b.file ? -1 : 1))
}
