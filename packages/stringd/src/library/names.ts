import { type Failure, fail, LIMITS } from '@string-os/protocol'
import { partIds } from '../document/find-part.ts'
import type { Page } from '../document/page.ts'

/** Names in an error: enough to go on, and not more. */
export function list(names: readonly string[]): string {
  const shown = names.slice(0, LIMITS.hintedNames).join(', ')
  const more = names.length - LIMITS.hintedNames
  return more > 0 ? `${shown}, and ${more} more` : shown
}

/** Says which blocks and sections there are. */
export function blockNotFound(id: string, page: Page<unknown>): Failure {
  const { blocks, sections } = partIds(page)
  return fail(
    'BLOCK_NOT_FOUND',
    `Block not found: #${id}`,
    blocks.length === 0 ? 'This document has no blocks' : `Blocks: ${list(blocks.map((name) => `#${name}`))}`,
    ...(sections.length === 0 ? [] : [`Sections: ${list(sections.map((slug) => `#${slug}`))}`]),
  )
}
