import type { Directive, Link, Span } from './document.ts'
import { type Page, type PageIndex, wholeOf } from './page.ts'

type Edit = Span &
  (
    | { readonly kind: 'hide' }
    | { readonly kind: 'link'; readonly link: Link }
    | { readonly kind: 'include'; readonly directive: Directive }
  )

/** What the reader sees of a page, or of a part of it. */
function renderPart<Base>(page: Page<Base>, part: Span, index: PageIndex<Base>): string {
  const { text } = page.document
  const edits = editsIn(page, part, index)
  if (edits.length === 0) return text.slice(part.start, part.end)
  const pieces = new Pieces()
  let at = part.start
  for (const edit of edits) {
    pieces.add(text.slice(at, edit.start))
    at = apply(page, edit, index, pieces, part)
  }
  pieces.add(text.slice(at, part.end))
  return pieces.text()
}

/** A whole page as `/open` shows it, under the lines that say what it offers. */
export function renderPage<Base>(page: Page<Base>, index: PageIndex<Base>): string {
  const body = renderPart(page, wholeOf(page), index)
  return offers([...index.actions.keys()], [...index.menus.keys()]) + body
}

/** A block or section: its own text, and the actions that stand in it. */
export function renderBlock<Base>(page: Page<Base>, part: Span, index: PageIndex<Base>): string {
  const inside = page.document.actions.filter(
    ({ start, end, part: kind }) => kind === 'action' && start >= part.start && end <= part.end,
  )
  return offers([...new Set(inside.map(({ id }) => id))], []) + withoutBlankEnds(renderPart(page, part, index))
}

function offers(actions: readonly string[], menus: readonly string[]): string {
  const lines = [
    actions.length > 0 ? `[actions] ${actions.join(', ')}\n` : '',
    menus.length > 0 ? `[menus] ${menus.join(', ')}\n` : '',
  ]
  const head = lines.join('')
  return head === '' ? '' : `${head}\n`
}

function editsIn<Base>({ document, includes }: Page<Base>, part: Span, { ids }: PageIndex<Base>): Edit[] {
  const edits: Edit[] = document.hidden.map(({ start, end }) => ({ kind: 'hide', start, end }))
  for (const link of document.links)
    if (ids.has(link) || link.id !== null) edits.push({ kind: 'link', link, start: link.start, end: link.end })
  for (const directive of includes.keys())
    edits.push({ kind: 'include', directive, start: directive.start, end: directive.end })
  const inside = edits
    .filter(({ start, end }) => start >= part.start && end <= part.end)
    .sort((a, b) => a.start - b.start)
  // A link inside a hidden line is hidden with it.
  let end = part.start
  return inside.filter((edit) => {
    const free = edit.start >= end
    if (free) end = edit.end
    return free
  })
}

/** Writes what stands in place of an edit; answers where the text goes on. */
function apply<Base>(page: Page<Base>, edit: Edit, index: PageIndex<Base>, pieces: Pieces, part: Span): number {
  if (edit.kind === 'link') {
    pieces.add(linkText(edit.link, index))
    return edit.end
  }
  if (edit.kind === 'include') pieces.addLines(includedText(page, edit.directive, index))
  return pieces.closeGap(page.document.text, edit.end, part.end)
}

/** A shortcut's name that was refused is taken out, so that the reader does not try it. */
function linkText<Base>(link: Link, { ids }: PageIndex<Base>): string {
  const id = ids.get(link)
  return id === undefined ? `[${link.label}](${link.target})` : `[${link.label}][@${id}]`
}

function includedText<Base>(page: Page<Base>, directive: Directive, index: PageIndex<Base>): string {
  const included = page.includes.get(directive)
  if (included === undefined) return ''
  return included.ok
    ? renderPart(included.page, included.part, index)
    : `[include ${directive.name}: ${included.problem}]`
}

/** Text put together so that taking lines out leaves no run of blank lines behind. */
class Pieces {
  readonly #pieces: string[] = []
  /** Whether the last whole line is blank, and whether the line that has begun is. */
  #blankBefore = true
  #blankSoFar = true

  add(piece: string): void {
    if (piece === '') return
    this.#pieces.push(piece)
    const end = lastLineEnd(piece, piece.length - 1)
    if (end === -1) {
      this.#blankSoFar &&= isBlank(piece)
      return
    }
    const isPair = piece.charAt(end) === '\n' && piece.charAt(end - 1) === '\r'
    const before = lastLineEnd(piece, end - (isPair ? 2 : 1))
    this.#blankBefore = isBlank(piece.slice(before + 1, end)) && (before !== -1 || this.#blankSoFar)
    this.#blankSoFar = isBlank(piece.slice(end + 1))
  }

  addLines(text: string): void {
    const trimmed = withoutBlankEnds(text).trimEnd()
    if (trimmed !== '') this.add(`${trimmed}\n`)
  }

  /** Lines were taken out before `at`: where a blank line stands before them, those behind them are skipped. */
  closeGap(text: string, at: number, end: number): number {
    if (!this.#blankBefore || !this.#blankSoFar) return at
    let next = at
    for (;;) {
      BLANK_LINE.lastIndex = next
      const length = BLANK_LINE.exec(text)?.[0].length ?? 0
      if (length === 0 || next + length > end) return next
      next += length
    }
  }

  text(): string {
    return withoutBlankEnds(this.#pieces.join(''))
  }
}

const BLANK_LINE = /[ \t]*(?:\r\n?|\n|$)/y

function lastLineEnd(text: string, from: number): number {
  return from < 0 ? -1 : Math.max(text.lastIndexOf('\n', from), text.lastIndexOf('\r', from))
}

function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text)
}

/** Less the blank lines at both ends; the last line keeps its own end. */
function withoutBlankEnds(text: string): string {
  const start = /^(?:[ \t]*(?:\r\n?|\n))+/.exec(text)?.[0].length ?? 0
  let end = text.length
  while (end > start && ' \t\r\n'.includes(text.charAt(end - 1))) end -= 1
  const lineEnd = /^[ \t]*(?:\r\n?|\n)/.exec(text.slice(end, end + 1_000))?.[0].length ?? 0
  return text.slice(start, end + lineEnd)
}
