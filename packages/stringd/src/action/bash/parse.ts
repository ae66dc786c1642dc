import { LIMITS, visibleLine } from '@string-os/protocol'
import { forEachChild, parse, type Script, type SyntaxNode } from 'unbash'
import { type Fault, fault } from '../declare/field.ts'
import { rowOf } from './mark.ts'

/** What to do about a command that is too much for one line of a document. */
export const IN_A_FILE = 'Put it into a file of its own, and let CLI ./script.sh run that'
const BASH = 'Write it as bash takes it: bash -n script.sh says more about a script'

interface ParsedScript {
  readonly ok: true
  readonly script: Script
}

/** Reads a script into its syntax tree, or says why bash would not. */
export function parseScript(text: string): ParsedScript | Fault {
  if (depthOf(text) > LIMITS.commandTemplateDepth) return fault('too many brackets inside each other', IN_A_FILE)
  try {
    const script = parse(text)
    if (nodesIn(script) > LIMITS.commandTemplateNodes)
      return fault(`a command has at most ${LIMITS.commandTemplateNodes} parts`, IN_A_FILE)
    const found = problemIn(script)
    if (found === null) return { ok: true, script }
    // The parser takes every `case` in $( … ) for the keyword.
    const instead = /\$\(.*\bcase\b/s.test(text)
      ? "The word case as an argument in $( … ) is written 'case'"
      : found.instead
    return { ...fault(found.problem, instead), row: rowOf(text, found.at) }
  } catch (error) {
    // The parser goes down into what it reads, and the stack ends somewhere.
    if (error instanceof RangeError) return fault('too many commands inside each other', IN_A_FILE)
    throw error
  }
}

function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [bracket] of text.matchAll(/[([{)\]}]/g)) {
    depth = Math.max(0, depth + ('([{'.includes(bracket) ? 1 : -1))
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

/** How many nodes a tree has. */
export function nodesIn(node: SyntaxNode): number {
  let nodes = 1
  forEachChild(node, (child) => {
    nodes += nodesIn(child)
  })
  return nodes
}

interface Found {
  readonly problem: string
  readonly instead: string
  readonly at: number
}

/** The parser reads on behind a mistake: what is wrong stands in the tree, at every level. */
function problemIn(node: SyntaxNode): Found | null {
  let found = ownProblem(node)
  forEachChild(node, (child) => {
    found ??= problemIn(child)
  })
  return found
}

function ownProblem(node: SyntaxNode): Found | null {
  if (node.type === 'Script') {
    const error = node.errors?.[0]
    if (error === undefined) return null
    const isOpen = error.message.startsWith('unterminated')
    const reason = isOpen
      ? 'a quote or parenthesis is not closed'
      : visibleLine(`bash cannot read it: ${error.message}`)
    const instead = isOpen ? 'Write the quote or parenthesis that is missing; one that is text stands in quotes' : BASH
    return { problem: reason, instead, at: error.pos }
  }
  if (node.type === 'HereDoc' && node.closing === undefined)
    return {
      problem: visibleLine(`the here-document has no line ${node.delimiter?.value ?? ''} at its end`),
      instead: visibleLine(
        `Write ${node.delimiter?.value ?? 'its word'} alone on a line, not indented, behind its text`,
      ),
      at: node.pos,
    }
  return null
}
