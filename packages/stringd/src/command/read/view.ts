import { type Failure, fail, LIMITS, ok, type Result } from '@string-os/protocol'
import { findPart } from '../../document/find-part.ts'
import { renderBlock } from '../../document/render.ts'
import { splitPages } from '../../document/text/split-pages.ts'
import { type Address, isSameDocument } from '../../library/address.ts'
import { blockNotFound } from '../../library/block-not-found.ts'
import type { Loaded, PageFacts } from '../../library/library.ts'
import { openDocument } from '../../reading/open-document.ts'
import type { DocumentFacts } from '../../session/session.ts'
import type { CommandContext } from '../core/context.ts'

/** How a document is to be shown. */
export interface View {
  readonly page: number
  /** A text up to this size is shown at once, where that was asked for. */
  readonly atOnceBytes: number
}

export const FIRST_PAGE: View = { page: 1, atOnceBytes: 0 }

/** Room for the line that says which page this is. */
const FOOTER_BYTES = 64

/** Shows a document, or its block, as the session's current one. `remember`: the one before can be gone back to. */
export function showDocument(
  system: string,
  address: Address,
  loaded: Loaded,
  view: View,
  context: CommandContext,
  remember = true,
): Result {
  const part = textOf(address, loaded, otherFile(address, context))
  if (!part.ok) return part
  const shown = showText(system, part.text, view, loaded.facts, (facts) => {
    const { session } = context
    const document = openDocument(address, loaded, facts)
    session.mode = null
    if (address.kind === 'file') session.hasRead(address.place, loaded.print)
    if (remember) session.show(document)
    else session.document = document
  })
  return shown.ok && loaded.page.document.isPlain !== true ? { ...shown, isMarkdown: true } : shown
}

/** A page of a document, or of its block, which nobody is shown. */
export function pageAt(address: Address, loaded: Loaded, view: View): Result {
  const part = textOf(address, loaded)
  return part.ok ? showText('', part.text, view, loaded.facts, () => undefined) : part
}

/** One page of a text, and what it is part of. Nothing is shown when there is no such page. */
export function showText(
  system: string,
  text: string,
  { page, atOnceBytes }: View,
  facts: PageFacts,
  show: (facts: DocumentFacts) => void,
): Result {
  const isWhole = atOnceBytes > 0 && Buffer.byteLength(text) <= atOnceBytes
  const pages = isWhole ? [text] : splitPages(text, LIMITS.pageBytes - FOOTER_BYTES)
  const shown = pages[page - 1]
  if (shown === undefined) return noSuchPage(page, pages.length)
  show({ ...facts, page, pages: pages.length })
  if (isWhole) return { ...ok(system, shown), isWhole }
  return ok(system, pages.length === 1 ? shown : withFooter(shown, page, pages.length))
}

export function noSuchPage(page: number, pages: number): Failure {
  return fail('INVALID_PARAMS', `There is no page ${page}`, `Pages: 1 to ${pages}`)
}

/** A page of several, with the line that says how to go on. */
export function withFooter(text: string, page: number, pages: number): string {
  let end = text.length
  while (text.charAt(end - 1) === '\n') end -= 1
  return `${text.slice(0, end)}\n${footer(page, pages)}`
}

function footer(page: number, pages: number): string {
  return page < pages
    ? `[page ${page} of ${pages}] /open --page ${page + 1} for the next`
    : `[page ${page} of ${pages}]`
}

/** A name may mean a file here or one beside the open document: where nothing is found, which one it was has to be said. */
function otherFile(address: Address, { session, reader }: CommandContext): string | undefined {
  const { document } = session
  const isOpen = document !== null && isSameDocument(document.address, address)
  return isOpen || address.kind !== 'file' ? undefined : reader.show({ ...address, block: null })
}

function textOf(
  { block }: Address,
  { page, index, text }: Loaded,
  file?: string,
): { ok: true; text: string } | Failure {
  if (block === null) return { ok: true, text }
  const part = findPart(page, block)
  if (part !== null) return { ok: true, text: renderBlock(part.page, part.span, index) }
  return blockNotFound(block, page, file)
}
