import { type Failure, fail, listNames } from '@string-os/protocol'
import { partIds } from '../document/find-part.ts'
import type { Page } from '../document/page.ts'

/** Says which blocks and sections there are; `file` is the one that was named, where it is not the open one. */
export function blockNotFound(id: string, page: Page<unknown>, file?: string): Failure {
  const { blocks, sections } = partIds(page)
  return fail(
    'BLOCK_NOT_FOUND',
    `Block not found: ${file ?? ''}#${id}`,
    blocks.length === 0 ? 'This document has no blocks' : `Blocks: ${listNames(blocks.map((name) => `#${name}`))}`,
    ...(file === undefined ? [] : [`/open ${file} --outline lists them`]),
    ...(sections.length === 0 ? [] : [`Sections: ${listNames(sections.map((slug) => `#${slug}`))}`]),
  )
}
