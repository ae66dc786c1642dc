import { LIMITS, problem, visibleLine } from '@string-os/protocol'
import { forEachChild, parse, type Script, type SyntaxNode } from 'unbash'
import type { Fault } from '../declare/field.ts'
import { rowOf } from './mark.ts'

interface ParsedScript {
  readonly ok: true
  readonly script: Script
}

/** Reads a script into its syntax tree, or says why bash would not. */
export function parseScript(text: string): ParsedScript | Fault {
  if (depthOf(text) > LIMITS.commandTemplateDepth) return problem('too many brackets inside each other')
  try {
    const script = parse(text)
    if (nodesIn(script) > LIMITS.commandTemplateNodes)
      return problem(`a command has at most ${LIMITS.commandTemplateNodes} parts; put it into a file and run that`)
    const found = problemIn(script)
    if (found === null) return { ok: true, script }
    // The parser takes every `case` in $( … ) for the keyword.
    const instead = /\$\(.*\bcase\b/s.test(text)
      ? { instead: "The word case as an argument in $( … ) is written 'case'" }
      : {}
    return { ...problem(found.problem), row: rowOf(text, found.at), ...instead }
  } catch (error) {
    // The parser goes down into what it reads, and the stack ends somewhere.
    if (error instanceof RangeError) return problem('too many commands inside each other')
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
    return { problem: reason, at: error.pos }
  }
  if (node.type === 'HereDoc' && node.closing === undefined)
    return {
      problem: visibleLine(`the here-document has no line ${node.delimiter?.value ?? ''} at its end`),
      at: node.pos,
    }
  return null
}
