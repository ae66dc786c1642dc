import { forEachChild, type Script, type SyntaxNode } from 'unbash'
import type { Marked } from './mark.ts'
import { type Quoting, type ScriptPart, textPart } from './script-part.ts'

/** `$ARGS` in a script. */
interface Args {
  readonly at: number
  readonly end: number
  readonly alone: boolean
}

/** A template as it was written, with the place of each value: how it has to be quoted there. */
export function sourceParts({ text, split }: Marked, script: Script): ScriptPart[] {
  const regions = new Regions(text.length)
  regions.paint(script, 'bare')
  const parts: ScriptPart[] = []
  const addText = (from: number, to: number): void => {
    let at = from
    for (const piece of split(text.slice(from, to))) {
      const { field } = piece
      parts.push(field === null ? textPart(piece.text) : { kind: 'field', field, place: regions.placeAt(at) })
      at += piece.text.length
    }
  }
  let from = 0
  for (const { at, end, alone } of regions.args.sort((a, b) => a.at - b.at)) {
    addText(from, at)
    parts.push({ kind: 'args', place: regions.placeAt(at), alone })
    from = end
  }
  addText(from, text.length)
  return parts
}

/** What is around each character of a script. What lies deeper is painted later. */
class Regions {
  readonly args: Args[] = []
  readonly #places: Quoting[]

  constructor(length: number) {
    this.#places = Array.from({ length }, () => 'bare')
  }

  placeAt(at: number): Quoting {
    return this.#places[at] ?? 'bare'
  }

  paint(node: SyntaxNode, around: Quoting, isAlone = false): void {
    const place = placeIn(node, around)
    this.#places.fill(place, node.pos, node.end)
    if (isArgs(node)) this.args.push({ at: node.pos, end: node.end, alone: isAlone })
    const listed = listedIn(node)
    forEachChild(node, (child) => {
      const isWord = child.type === 'Word' && listed.includes(child) && /^\$(?:ARGS|\{ARGS\})$/.test(child.text)
      // Between backticks with backslashes it is another text that was read.
      if (child.type !== 'Script' || child.source === undefined) this.paint(child, place, isWord || isAlone)
    })
  }
}

/** Words that stand among others, where one may become several. */
function listedIn(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type === 'Command') return node.args
  if (node.type === 'ArrayValue') return node.elements
  return node.type === 'For' || node.type === 'Select' ? (node.wordlist ?? []) : []
}

export function isArgs(node: SyntaxNode): boolean {
  if (node.type === 'SimpleExpansion') return node.text === '$ARGS'
  return node.type === 'ParameterExpansion' && node.text === `\${ARGS}`
}

function placeIn(node: SyntaxNode, around: Quoting): Quoting {
  switch (node.type) {
    case 'SingleQuoted':
      return 'single'
    case 'AnsiCQuoted':
      return 'ansi'
    case 'DoubleQuoted':
    case 'LocaleString':
    case 'ArithmeticExpansion':
    case 'ArithmeticCommand':
      return 'double'
    case 'HereDocBody':
      return node.parts === undefined && around === 'closed' ? 'closed' : 'heredoc'
    case 'HereDoc':
      return node.delimiter?.quoted === true ? 'closed' : 'bare'
    case 'Script':
      return 'bare'
    default:
      return around
  }
}
