import { basename, extname } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import type { Directive, Document } from '../document/document.ts'
import { findPart } from '../document/find-part.ts'
import { type Included, type Page, wholeOf } from '../document/page.ts'
import type { Base } from './address.ts'
import { splitBlock } from './target.ts'

/** A document that another includes; `key` is what tells that it includes itself. */
export interface IncludedDocument {
  readonly document: Document
  readonly base: Base
  readonly key: string
}

/**
 * Finds what an include names; `chain` holds the keys of the documents around it, the nearest first. What is longer than
 * `room` is not parsed.
 */
export type FindInclude = (
  target: string,
  base: Base,
  chain: readonly string[],
  room: number,
) => Promise<IncludedDocument | { readonly problem: string }>

/** What is left of what a page may include. */
interface Budget {
  left: number
  chars: number
  parts: number
}

/** A document with everything that it includes, and what that includes. */
export function withIncludes(
  document: Document,
  base: Base,
  chain: readonly string[],
  find: FindInclude,
): Promise<Page<Base>> {
  const budget = { left: LIMITS.includes, chars: LIMITS.includedChars, parts: LIMITS.documentParts }
  return include({ document, base, key: '' }, chain, find, budget)
}

async function include(
  { document, base }: IncludedDocument,
  chain: readonly string[],
  find: FindInclude,
  budget: Budget,
): Promise<Page<Base>> {
  const includes = new Map<Directive, Included<Base>>()
  for (const directive of document.directives) {
    if (directive.type === 'include') includes.set(directive, await resolve(directive, base, chain, find, budget))
  }
  return { document, base, includes }
}

async function resolve(
  directive: Directive,
  base: Base,
  chain: readonly string[],
  find: FindInclude,
  budget: Budget,
): Promise<Included<Base>> {
  budget.left -= 1
  if (budget.left < 0) return { problem: `more than ${LIMITS.includes} includes` }
  if (chain.length > LIMITS.includeDepth) return { problem: `includes are nested deeper than ${LIMITS.includeDepth}` }
  const { path: target, block } = splitBlock(includeTarget(directive, chain[0] ?? ''))
  if (target === '') return { problem: 'an include names a file' }
  const found = await find(target, base, chain, budget.chars)
  if ('problem' in found) return found
  budget.chars -= found.document.text.length
  budget.parts -= partsIn(found.document)
  if (budget.chars < 0) return { problem: `includes are larger than ${LIMITS.includedChars} characters together` }
  if (budget.parts < 0)
    return { problem: `includes have more than ${LIMITS.documentParts} links, sections and blocks together` }
  const page = await include(found, [found.key, ...chain], find, budget)
  if (block === null) return { page, part: wholeOf(page) }
  const part = findPart(page, block)
  return part === null ? { problem: `${target} has no block #${block}` } : { page: part.page, part: part.span }
}

function partsIn({ links, sections, hidden, directives }: Document): number {
  return links.length + sections.length + hidden.length + directives.length
}

/** `[!include:id]()` means `<document-name>.source/<id>.md` beside the document. */
function includeTarget({ name, target }: Directive, including: string): string {
  if (target !== '') return target
  const file = basename(including)
  return `./${file.slice(0, file.length - extname(file).length)}.source/${name}.md`
}
