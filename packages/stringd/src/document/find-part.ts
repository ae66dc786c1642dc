import type { Span } from './document.ts'
import type { Page } from './page.ts'

export interface FoundPart<Base> {
  readonly page: Page<Base>
  readonly span: Span
}

/** What `#id` addresses: a block, an include, a heading's section, and then the same in what the page includes. */
export function findPart<Base>(page: Page<Base>, id: string): FoundPart<Base> | null {
  const { blocks, sections } = page.document
  const block = blocks.find((candidate) => candidate.id === id)
  if (block !== undefined) return { page, span: block }
  const include = [...page.includes].find(([directive]) => directive.name === id)?.[1]
  if (include?.ok === true) return { page: include.page, span: include.part }
  const section = sections.find(({ slug }) => slug === id)
  if (section !== undefined) return { page, span: section }
  for (const included of page.includes.values()) {
    const found = included.ok ? findPart(included.page, id) : null
    if (found !== null) return found
  }
  return null
}

/** Every id that `findPart` knows, for an error that helps. */
export function partIds(page: Page<unknown>): { blocks: string[]; sections: string[] } {
  const { blocks, sections } = page.document
  const includes = [...page.includes].filter(([, included]) => included.ok).map(([directive]) => directive.name)
  return { blocks: [...blocks.map(({ id }) => id), ...includes], sections: sections.map(({ slug }) => slug) }
}
