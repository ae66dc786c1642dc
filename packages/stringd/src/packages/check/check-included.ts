import { LIMITS } from '@string-os/protocol'
import type { Document } from '../../document/document.ts'
import { menuEntryOf } from '../../document/menu-entry.ts'
import { includedFrom, withIncluded } from './check-targets.ts'
import type { CheckedPackage } from './checked-package.ts'
import type { PackageProblem } from './package-problem.ts'

/** Menus whose file is there and has nothing that could be an entry. What it includes may have some. */
export function emptyMenus(file: string, { directives }: Document, whole: CheckedPackage): PackageProblem[] {
  const menus = directives.filter(({ type, target }) => type === 'nav' && target !== '')
  return menus.slice(0, LIMITS.documentWarnings).flatMap(({ target, line }): PackageProblem[] => {
    const path = includedFrom(file, target, whole)
    const menu = path === null ? undefined : whole.documents.get(path)
    if (menu === undefined || menu.directives.some(({ type }) => type === 'include')) return []
    if (menu.links.some(({ id }) => id !== null)) return []
    const problem = `The menu has no entries: ${path} declares no shortcuts`
    return [{ file, line, problem, next: `Write ${menuEntryOf(menu)} there`, isDoubt: true }]
  })
}

/** Actions that a page and what it includes both have, or two of its includes: one of them can never be called there. */
export function doubledActions(file: string, document: Document, whole: CheckedPackage): PackageProblem[] {
  const seen = new Map(idsIn(document).map((id) => [id, file]))
  // Of a part of a page, only what stands in it counts.
  const includes = document.directives.filter(({ type, target }) => type === 'include' && !target.includes('#'))
  return includes.slice(0, LIMITS.includes).flatMap(({ target, line }) => {
    const path = target === '' ? null : includedFrom(file, target, whole)
    const pages = path === null || path === file ? [] : [...withIncluded(path, whole).pages]
    return pages.flatMap(([page, included]) =>
      idsIn(included).flatMap((id) => {
        const first = seen.get(id) ?? page
        seen.set(id, first)
        return first === page ? [] : [{ file, line, ...twice(id, first, page) }]
      }),
    )
  })
}

function idsIn({ actions }: Document): string[] {
  return [...new Set(actions.flatMap(({ id, part }) => (part === 'action' ? [id] : [])))]
}

function twice(id: string, first: string, second: string): Pick<PackageProblem, 'problem' | 'next'> {
  return {
    problem: `Action ${id} stands twice on this page, in ${first} and in ${second}; the first is used`,
    next: 'Give the second another name, or remove it',
  }
}

/** An include, and to which page of the package it leads. */
export interface IncludeStep {
  readonly line: number
  readonly to: string
}

/** Of very many, a page is given no more than the first. */
export function includesOf(file: string, { directives }: Document, whole: CheckedPackage): IncludeStep[] {
  const includes = directives.filter(({ type, target }) => type === 'include' && target !== '')
  return includes.slice(0, LIMITS.includes).flatMap(({ target, line }) => {
    const to = includedFrom(file, target, whole)
    return to === null || !whole.documents.has(to) ? [] : [{ line, to }]
  })
}

/** Includes that lead back to a page that includes them: each circle once, where it closes. */
export function includeCycles(steps: ReadonlyMap<string, readonly IncludeStep[]>): PackageProblem[] {
  const problems: PackageProblem[] = []
  const done = new Set<string>()
  for (const start of steps.keys()) {
    // The way from the start, with what is left to look at of each page on it; a call for each would be too deep.
    const way = done.has(start) ? [] : [{ file: start, left: [...(steps.get(start) ?? [])] }]
    for (let last = way.at(-1); last !== undefined; last = way.at(-1)) {
      const step = last.left.shift()
      if (step === undefined) {
        done.add(last.file)
        way.pop()
        continue
      }
      const at = way.findIndex(({ file }) => file === step.to)
      if (at !== -1) problems.push(cycle(last.file, step.line, [...way.slice(at).map(({ file }) => file), step.to]))
      else if (!done.has(step.to)) way.push({ file: step.to, left: [...(steps.get(step.to) ?? [])] })
    }
  }
  return problems.slice(0, LIMITS.documentWarnings)
}

function cycle(file: string, line: number, pages: readonly string[]): PackageProblem {
  return {
    file,
    line,
    problem: `The include leads back to its own page, and is a note in its place: ${pages.join(' → ')}`,
    next: 'Remove it, or put what several pages need into a file that includes none of them',
    isDoubt: true,
  }
}
