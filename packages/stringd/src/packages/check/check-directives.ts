import { nearest } from '@string-os/protocol'
import type { Document } from '../../document/document.ts'
import type { PackageProblem } from './package-problem.ts'

type Found = Omit<PackageProblem, 'file'>

const TYPES = ['include', 'nav']

/** What was meant as a directive: one that nobody knows vanishes from the page, and what is none is shown as a link. */
export function misspeltDirectives({ directives, links }: Document): Found[] {
  const unknown = directives.flatMap(({ type, name, target, line }) => {
    const close = TYPES.includes(type) ? null : nearest(type, TYPES)
    if (close === null) return []
    const written = name === '' ? type : `${type}:${name}`
    const problem = `[!${written}](${target}) is no directive that String knows, and nobody sees it`
    return [{ line, problem, next: `Did you mean [!${close}:${name || 'name'}](${target})?` }]
  })
  const shown = links.flatMap(({ label, target, line }) => {
    const [, type = '', name = ''] = /^!\s*([A-Za-z][A-Za-z-]*)(?:\s*:\s*|\s+)([\w-]+)$/.exec(label) ?? []
    const close = nearest(type, TYPES)
    if (close === null || label === `!${close}:${name}`) return []
    const problem = `[${label}](${target}) is no directive, and is shown as a link`
    return [
      { line, problem, next: `Did you mean [!${close}:${name.toLowerCase()}](${target})? It stands alone on its line` },
    ]
  })
  return [...unknown, ...shown]
}
