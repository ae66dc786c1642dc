import { VOID } from '../read/elements.ts'
import type { HtmlElement, HtmlNode } from '../read/tree.ts'

/** Text (`element` is null) or an inline element, as it shows among the others of its run. */
export interface Part {
  readonly element: HtmlElement | null
  readonly parts: readonly Part[]
  /** All the text inside. */
  readonly text: string
  /** Nothing inside shows. */
  readonly isBlank: boolean
}

/** The white space of a run shows as in a browser: one space for many, none at the start, at the end and around a line break. */
export function readRun(nodes: readonly HtmlNode[]): Part[] {
  const collapser = new Collapser()
  const pieces = collapser.pieces(nodes)
  collapser.end()
  return pieces.map(measured)
}

interface Piece {
  readonly element: HtmlElement | null
  readonly pieces: readonly Piece[]
  text: string
}

/** Goes through a run in reading order: what space is one too many depends on the text before, wherever that stands. */
class Collapser {
  #before: Piece | null = null
  /** A picture stands before: a space after it shows. */
  #isAfterVoid = false

  pieces(nodes: readonly HtmlNode[]): Piece[] {
    const pieces: Piece[] = []
    for (const node of nodes) {
      const piece = typeof node === 'string' ? this.#text(node) : this.#element(node)
      if (piece !== null) pieces.push(piece)
    }
    return pieces
  }

  /** Nothing follows: a space before shows no more. */
  end(): void {
    if (this.#before?.text.endsWith(' ')) this.#before.text = this.#before.text.slice(0, -1)
  }

  #text(raw: string): Piece | null {
    const text = raw.replace(/[ \r\n\t]+/g, ' ')
    const isSpaced = this.#before === null || this.#before.text.endsWith(' ')
    const shown = isSpaced && !this.#isAfterVoid && text.startsWith(' ') ? text.slice(1) : text
    if (shown === '') return null
    this.#before = { element: null, pieces: [], text: shown }
    return this.#before
  }

  #element(element: HtmlElement): Piece {
    this.#pass(element.name)
    const pieces = this.pieces(element.children)
    this.#pass(element.name)
    return { element, pieces, text: '' }
  }

  #pass(name: string): void {
    if (name === 'br') {
      this.end()
      this.#before = null
      this.#isAfterVoid = false
    } else if (VOID.has(name)) {
      this.#before = null
      this.#isAfterVoid = true
    } else if (this.#before !== null) this.#isAfterVoid = false
  }
}

function measured({ element, pieces, text }: Piece): Part {
  if (element === null) return { element, parts: [], text, isBlank: text.trim() === '' }
  const parts = pieces.map(measured)
  const isShown = VOID.has(element.name) || element.name === 'a'
  return {
    element,
    parts,
    text: parts.map((part) => part.text).join(''),
    isBlank: !isShown && parts.every((part) => part.isBlank),
  }
}
