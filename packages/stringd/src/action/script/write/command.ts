import type { Command } from 'unbash'
import { type Call, holdsInput, type Judged } from '../rules/call.ts'
import { judgeCall, mayTell } from '../rules/judge-call.ts'
import { KEYWORDS, WRITERS } from '../rules/programs.ts'
import { type ScriptPart, textPart } from '../script-part.ts'
import { writeAssignment } from './assignment.ts'
import { baseOf, isTold, noteTarget } from './files.ts'
import { type WrittenRedirection, writeRedirection } from './redirection.ts'
import { REFUSED } from './refusal.ts'
import { quote, type Text, unknown, type Written } from './text.ts'
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
  for (const { target } of redirections) noteTarget(target, holds || isLasting, node.pos, walk)
  return { parts: [...front, ...(found?.parts ?? []), ...written], holds }
}

interface WrittenCall {
  readonly parts: readonly ScriptPart[]
  readonly judged: Judged
  readonly holds: boolean
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
  return { parts: [...(program === null ? [] : programParts(program)), ...written], judged, holds }
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

/** Files that a command with a value was told may hold it afterwards, and so may what commands make of them. */
function noteFiles({ name, words, path, at }: Call, { runs }: Judged, holds: boolean, walk: Walk): void {
  const { facts } = walk
  for (const { path: file } of holds ? words : [])
    if (file !== null && !file.startsWith('-') && !runs.includes(file)) facts.add('file', baseOf(file))
  const written = name === 'tee' || name === 'dd' ? words : words.slice(-1)
  if (WRITERS.has(name) && written.some((word) => word.holds)) facts.add('anywhere', `${at}`)
  for (const file of runs) {
    if (isWritten(baseOf(file), walk)) walk.refuse(REFUSED.written, at)
    if (facts.writesAnywhere(at)) walk.refuse(REFUSED.anywhere, at)
  }
  if (facts.has('target', baseOf(path))) walk.refuse(REFUSED.written, at)
}

/** Whether a file may hold a value: a command was told its name, or a variable that the script gives it says where to write. */
function isWritten(base: string, { facts, marked }: Walk): boolean {
  const isNamed = facts.has('script', 'somewhere') && marked.text.split(base).length > 2
  return isNamed || facts.has('file', base) || facts.has('target', base)
}
