import { didYouMean, type Failure, fail, listNames } from '@string-os/protocol'
import { partIds } from '../document/find-part.ts'
import type { Page } from '../document/page.ts'

/** Says which blocks and sections there are; `file` is the one that was named, where it is not the open one. */
export function blockNotFound(id: string, page: Page<unknown>, file?: string): Failure {
  const { blocks, sections } = partIds(page)
  // Two short names are near each other by chance; seldom do they begin alike, too.
  const alike = [...new Set([...blocks, ...sections])].filter((name) => name.startsWith(id.slice(0, 1)))
  const meant = didYouMean(
    `#${id}`,
    alike.map((name) => `#${name}`),
  )
  const listed = [...listOf('Blocks', blocks), ...listOf('Sections', sections)]
  return fail(
    'BLOCK_NOT_FOUND',
    `Block not found: ${file ?? ''}#${id}`,
    ...(meant === '' ? [] : [meant]),
    ...(file === undefined ? [] : [`/open ${file} --outline lists them`]),
    ...listed.slice(0, -1),
    listed.at(-1) ?? 'This document has no blocks and no headings',
  )
}

function listOf(what: string, ids: readonly string[]): readonly string[] {
  return ids.length === 0 ? [] : [`${what}: ${listNames(ids.map((id) => `#${id}`))}`]
}
