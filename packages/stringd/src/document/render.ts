import type { Directive, Link, Span } from './document.ts'
import type { Page, PageIndex } from './page.ts'

type Edit = Span &
  (
    | { readonly kind: 'hide' }
    | { readonly kind: 'link'; readonly link: Link }
    | { readonly kind: 'include'; readonly directive: Directive }
  )

/** What the reader sees of a page, or of a part of it. */
export function renderPart<Base>(page: Page<Base>, part: Span, index: PageIndex<Base>): string {
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
  return offers(index.actions, [...index.menus.keys()]) + body
}

/** A block or section: its own text, and the actions that stand in it. */
export function renderBlock<Base>(page: Page<Base>, part: Span, index: PageIndex<Base>): string {
  const inside = page.document.actions.filter(
    ({ start, end, part: kind }) => kind === 'action' && start >= part.start && end <= part.end,
  )
  const body = renderPart(page, part, index).replace(/^(?:[ \t]*\r?\n)+/, '')
  return offers([...new Set(inside.map(({ id }) => id))], []) + withoutBlankEnd(body)
}

export function wholeOf({ document }: Page<unknown>): Span {
  return { start: 0, end: document.text.length }
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
    if (ids.has(link)) edits.push({ kind: 'link', link, start: link.start, end: link.end })
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
    pieces.add(`[${edit.link.label}][@${index.ids.get(edit.link) ?? ''}]`)
    return edit.end
  }
  if (edit.kind === 'include') pieces.addLines(includedText(page, edit.directive, index))
  return pieces.closeGap(page.document.text, edit.end, part.end)
}

function includedText<Base>(page: Page<Base>, directive: Directive, index: PageIndex<Base>): string {
  const included = page.includes.get(directive)
  if (included === undefined) return ''
  return 'problem' in included
    ? `[include ${directive.name}: ${included.problem}]`
    : renderPart(included.page, included.part, index)
}

/** Text put together so that taking lines out leaves no run of blank lines behind. */
class Pieces {
  readonly #pieces: string[] = []
  #tail = '\n\n'

  add(piece: string): void {
    if (piece === '') return
    this.#pieces.push(piece)
    this.#tail = (this.#tail + piece.slice(-4)).slice(-4)
  }

  addLines(text: string): void {
    const trimmed = text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd()
    if (trimmed !== '') this.add(`${trimmed}\n`)
  }

  /** Lines were taken out before `at`: where a blank line stands before them, those behind them are skipped. */
  closeGap(text: string, at: number, end: number): number {
    if (!/(?:^|\n)\r?\n$/.test(this.#tail)) return at
    const blank = /[ \t]*(?:\r?\n|$)/y
    let next = at
    while (next < end) {
      blank.lastIndex = next
      const length = blank.exec(text)?.[0].length ?? 0
      if (length === 0 || next + length > end) break
      next += length
    }
    return next
  }

  text(): string {
    return withoutBlankEnd(this.#pieces.join(''))
  }
}

/** Less the blank lines at the end; the last line keeps its own end. */
function withoutBlankEnd(text: string): string {
  const end = text.trimEnd().length
  const lineEnd = /^[ \t]*\r?\n/.exec(text.slice(end, end + 1_000))?.[0].length ?? 0
  return text.slice(0, end + lineEnd)
}
