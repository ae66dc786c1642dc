import { count, type Data, type Failure, fail, LIMITS, ok, type Result } from '@string-os/protocol'
import { findPart } from '../../document/find-part.ts'
import { type OutlineEntry, outlineOf } from '../../document/outline.ts'
import { wholeOf } from '../../document/page.ts'
import { size } from '../../files/describe.ts'
import type { Address } from '../../library/address.ts'
import { blockNotFound } from '../../library/block-not-found.ts'
import type { Loaded } from '../../library/library.ts'
import { openDocument } from '../../reading/open-document.ts'
import type { CommandContext } from '../core/context.ts'

/** The parts of a document, by which a reader of a large one can choose; the document is open from now on. */
export async function openOutline(
  address: Address,
  typed: string,
  context: CommandContext,
  remember: boolean,
): Promise<Result> {
  const { reader, session } = context
  const loaded = await (remember ? reader.load(address, typed) : reader.view(address))
  if (!loaded.ok) return loaded
  if (loaded.page.document.isDescription)
    return fail('NOT_TEXT', `${typed} is not text, so it has no parts`, `/open ${typed} says what it is`)
  const outline = partsOf(address, loaded)
  if (!outline.ok) return outline
  const document = openDocument(address, loaded, { ...loaded.facts, page: 1, pages: 1 })
  if (address.kind === 'file') session.hasRead(address.place, loaded.print)
  session.mode = null
  if (remember) session.show(document)
  else session.document = document
  const { lines, parts, left } = thatFit(outline)
  const note = left === 0 ? [] : [`[${count(left, 'part')} left out: /open #PART --outline shows those of one]`]
  const text = lines.length === 0 ? '(empty)' : [...lines, ...note].join('\n')
  return ok(`Outline of ${typed}`, text, { path: typed, left, parts: parts.map(fields) })
}

interface Outline {
  readonly ok: true
  readonly parts: readonly OutlineEntry[]
  readonly text: string
  /** Its lines are those of the file that is open. */
  readonly hasLines: boolean
}

function partsOf({ kind, block }: Address, { page }: Loaded): Outline | Failure {
  const part = block === null ? { page, span: wholeOf(page) } : findPart(page, block)
  if (part === null) return blockNotFound(block ?? '', page)
  const { document } = part.page
  const hasLines = kind === 'file' && part.page === page
  return { ok: true, parts: outlineOf(document, part.span), text: document.text, hasLines }
}

/** Room for the line that says what was left out. */
const NOTE_BYTES = 256

/** Nobody can tell more levels apart. */
const DEEPEST = 12

interface Fitting {
  readonly lines: readonly string[]
  readonly parts: readonly OutlineEntry[]
  readonly left: number
}

/** As deep as it fits. */
function thatFit(outline: Outline): Fitting {
  const rows = outline.parts
    .filter(({ depth }) => depth <= DEEPEST)
    .map((part) => ({ part, line: lineOf(part, outline) }))
  const deepest = rows.reduce((most, { part }) => Math.max(most, part.depth), 0)
  for (let depth = deepest; ; depth -= 1) {
    const wanted = rows.filter(({ part }) => part.depth <= depth)
    const shown = wanted.slice(0, howManyFit(wanted))
    if (shown.length < wanted.length && depth > 0) continue
    const left = outline.parts.length - shown.length
    return { lines: shown.map(({ line }) => line), parts: shown.map(({ part }) => part), left }
  }
}

function howManyFit(rows: readonly { readonly line: string }[]): number {
  let room = LIMITS.pageBytes - NOTE_BYTES
  const end = rows.findIndex(({ line }) => {
    room -= Buffer.byteLength(line) + 1
    return room < 0
  })
  return end === -1 ? rows.length : end
}

/** `- #install (L5-L40, 1.2 KB): Install`, or with its lines first where nothing else names it. */
function lineOf({ address, title, depth, from, to, start, end }: OutlineEntry, { text, hasLines }: Outline): string {
  const range = `L${from}${to === from ? '' : `-L${to}`}`
  const bytes = size(Buffer.byteLength(text.slice(start, end)))
  const about = address !== null && hasLines ? `${range}, ${bytes}` : bytes
  return `${'  '.repeat(depth)}- ${address ?? `:${range}`} (${about}): ${title}`
}

function fields({ address, title, depth, from, to }: OutlineEntry): Data {
  return { address, title, depth, from, to }
}
