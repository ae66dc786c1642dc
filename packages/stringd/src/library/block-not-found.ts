import { type Failure, fail, listNames } from '@string-os/protocol'
import { partIds } from '../document/find-part.ts'
import type { Page } from '../document/page.ts'

/** Says which blocks and sections there are. */
export function blockNotFound(id: string, page: Page<unknown>): Failure {
  const { blocks, sections } = partIds(page)
  return fail(
    'BLOCK_NOT_FOUND',
    `Block not found: #${id}`,
    blocks.length === 0 ? 'This document has no blocks' : `Blocks: ${listNames(blocks.map((name) => `#${name}`))}`,
    ...(sections.length === 0 ? [] : [`Sections: ${listNames(sections.map((slug) => `#${slug}`))}`]),
  )
}
