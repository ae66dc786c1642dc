import type { Command } from 'unbash'
import { type Content, isTold, noteTarget } from '../know/files.ts'
import { REFUSED } from '../know/refusal.ts'
import { quote, type Text, unknown, type Written } from '../know/text.ts'
import { type Call, holdsInput, type Judged } from '../rules/call.ts'
import { judgeCall, mayTell } from '../rules/judge-call.ts'
import { noteFiles } from '../rules/note-files.ts'
import { KEYWORDS } from '../rules/programs.ts'
import { type ScriptPart, textPart } from '../script-part.ts'
import { writeAssignment } from './assignment.ts'
import { type WrittenRedirection, writeRedirection } from './redirection.ts'
import type { Walk } from './walk.ts'
import { writeListed, writeWord } from './word.ts'

const SPACE = textPart(' ')

/** Writes a simple command, with everything in front of it and behind it. */
export function writeCommand(node: Command, walk: Walk): Written {
  const redirections = node.redirects.map((each) => writeRedirection(each, walk))
  const assignments = node.prefix.flatMap((each) => (each.type === 'Assignment' ? [writeAssignment(each, walk)] : []))
  const front = assignments.flatMap(({ parts }) => [...parts, SPACE])
  const holdsInFront = assignments.some(({ holds }) => holds)
  const found = node.name === undefined ? null : writeCall(node, redirections, walk)
  const written = redirections.flatMap((each) => redirectionParts(each, found?.judged))
  // What exec opens stays open for all that follows.
  const isLasting = /exec|command|builtin/.test(node.name?.value ?? '')
  const holds = holdsInFront || found?.holds === true || redirections.some(({ source }) => source?.holds === true)
  const content = holds || isLasting ? 'value' : (found?.content ?? 'written out')
  for (const { target } of redirections) noteTarget(target, content, node.pos, walk)
  return { parts: [...front, ...(found?.parts ?? []), ...written], holds }
}

interface WrittenCall {
  readonly parts: readonly ScriptPart[]
  readonly judged: Judged
  readonly holds: boolean
  readonly content: Content
}

function writeCall(node: Command, redirections: readonly WrittenRedirection[], walk: Walk): WrittenCall {
  const { input } = walk
  const { name: nameNode, pos } = node
  const program = nameNode === undefined ? null : writeWord(nameNode, walk)
  const words = node.args.map((arg) =>
    arg.type === 'Assignment' ? writeAssignment(arg, walk) : writeListed(arg, walk),
  )
  const document = documentOf(redirections)
  const path = program?.isOne === true ? (program.path ?? '') : ''
  const name = path.slice(path.lastIndexOf('/') + 1)
  const isKnown = name !== '' && !name.includes('$') && program?.holds === false
  if (!isKnown) walk.refuse(REFUSED.program, pos)
  const source = redirections.some((each) => each.source?.holds === true || isTold(each.source, walk))
  const call: Call = { name, path, words, input: source && !holdsInput(input) ? 'loop' : input, document, at: pos }
  const judged = isKnown ? judgeCall(call, walk) : { words, runs: [], isFilter: true }
  const isGiven = words.some((word) => word.holds || isTold(word, walk))
  const holds = holdsInput(input) || document?.holds === true || isGiven || mayTell(call, walk)
  noteFiles(call, judged, holds, walk)
  const written = judged.words.flatMap(({ parts }) => [SPACE, ...parts])
  const front = program === null ? [] : programParts(program)
  return { parts: [...front, ...written], judged, holds, content: isWrittenOut(call, walk) ? 'written out' : 'unknown' }
}

/** The text that a command reads; where several redirections compete for its input, it may be anything. */
function documentOf(redirections: readonly WrittenRedirection[]): Text | null {
  const reading = redirections.filter(({ reads }) => reads !== null)
  const documents = reading.flatMap(({ document }) => (document === null ? [] : [document]))
  const [only] = documents
  if (only === undefined || (reading.length === 1 && reading[0]?.reads === '0')) return only ?? null
  return unknown(only.parts, true, true)
}

/** A name that bash would take for a keyword or an assignment was quoted where it was written. */
function programParts({ parts, value }: Text): readonly ScriptPart[] {
  return value !== null && (KEYWORDS.has(value) || value.includes('=')) ? [textPart(quote(value))] : parts
}

function redirectionParts({ parts, document }: WrittenRedirection, judged: Judged | undefined): readonly ScriptPart[] {
  const written = judged?.document
  return document === null || written === undefined ? parts : [textPart(' <<< '), ...written.parts]
}

/** Whether what a command prints stands in the script, word by word. */
function isWrittenOut({ name, path, words, input, document }: Call, { facts }: Walk): boolean {
  if (facts.has('function', path) || words.some(({ value }) => value === null)) return false
  if (name !== 'cat') return /^(?:echo|printf|:|true)$/.test(name)
  return input === 'own' && document !== null && document.value !== null && words.length === 0
}
