import { baseOf } from '../write/files.ts'
import { REFUSED, runs } from '../write/refusal.ts'
import type { Walk } from '../write/walk.ts'
import { BUILTINS, isBuiltin, otherBuiltin } from './builtins.ts'
import { type Call, holdsInput, type Judged, judged, refused, takesValue } from './call.ts'
import { interpreterRule } from './interpreters.ts'
import { prefixRule } from './prefixes.ts'
import { DUMPERS, FILTERS, RUNNERS } from './programs.ts'
import { toolRule } from './tools.ts'

/** Looks at a simple command: what it does with the values that reach it. */
export function judgeCall(call: Call, walk: Walk): Judged {
  const found = judgeProgram(call, walk)
  if (call.input === 'piped' && !found.isFilter) walk.refuse(REFUSED.pipe, call.at)
  return found
}

/** Whether a program may print a variable that it was not given: one that it has in its environment, or as a function. */
export function mayTell({ name, path, words }: Call, { facts }: Walk): boolean {
  if (facts.has('function', path)) return true
  const isReader = path.includes('/') || DUMPERS.has(name) || isRunning(name)
  return facts.has('script', 'holds') && (isReader || words.some(({ value }) => isRunning(baseOf(value ?? ''))))
}

/** Names that a function of the script cannot have: where it is not yet defined, the command of that name would run. */
export function isKnownName(name: string): boolean {
  return isBuiltin(name) || RUNNERS.has(name) || ruleOf(name) !== null
}

function judgeProgram(call: Call, walk: Walk): Judged {
  const found = judgeByName(call, walk)
  return { ...found, isFilter: found.isFilter || FILTERS.has(call.name) }
}

function judgeByName(call: Call, walk: Walk): Judged {
  const { name, path } = call
  if (walk.facts.has('function', path)) return callFunction(call, walk)
  const isPath = path.includes('/')
  const builtin = isPath && !/^(?:printf|test|\[|echo|kill|pwd|true|false)$/.test(name) ? undefined : BUILTINS.get(name)
  if (builtin !== undefined) return builtin(call, walk)
  const rule = ruleOf(name)
  if (rule !== null) return rule(call, walk)
  const other = isPath ? null : otherBuiltin(call, walk)
  if (other !== null) return other
  if (RUNNERS.has(name) || /^ld[-.].*so/.test(name)) return runner(call, walk)
  if (isPath) walk.facts.add('script', 'own')
  const own = isPath ? [path] : []
  const behind = judgeVerb(call, walk)
  return behind === null ? judged(call, isPath, own) : { ...behind, runs: [...behind.runs, ...own] }
}

function ruleOf(name: string): ReturnType<typeof toolRule> {
  return prefixRule(name, judgeProgram) ?? interpreterRule(name) ?? toolRule(name, judgeProgram)
}

/** A program that runs others may stand beside a field as long as it gets none: as a word, in a variable or in a file. */
function runner(call: Call, walk: Walk): Judged {
  const texts = call.document === null ? call.words : [...call.words, call.document]
  const names = texts.some(({ value }) => value === null || /[$`]/.test(value))
  const isTold = takesValue(call) || call.input === 'foreign' || names || walk.facts.has('script', 'writes')
  return isTold ? refused(call, walk, runs(call.name)) : judged(call)
}

/** `uv run python …`, `bundle exec ruby …`: what stands behind the verb may be a program that is known. */
function judgeVerb(call: Call, walk: Walk): Judged | null {
  const { words, name } = call
  const verb = FILTERS.has(name) ? -1 : words.findIndex(({ value }) => /^(?:run|exec|--)$/.test(value ?? ''))
  if (verb === -1 || !words.some(({ holds }) => holds)) return null
  const next = words[verb + 1]
  if (words[verb]?.value !== '--' && next?.holds === true && next.start === '') return refused(call, walk, runs(name))
  const at = words.findIndex(({ value }, index) => index > verb && value !== null && isRunning(baseOf(value)))
  const path = words[at]?.value ?? ''
  if (at === -1) return null
  const found = judgeProgram({ ...call, name: baseOf(path), path, words: words.slice(at + 1) }, walk)
  return { ...found, words: [...words.slice(0, at + 1), ...found.words] }
}

function isRunning(name: string): boolean {
  return RUNNERS.has(name) || interpreterRule(name) !== null || prefixRule(name, judgeProgram) !== null
}

function callFunction(call: Call, { facts }: Walk): Judged {
  if (call.words.some(({ holds }) => holds)) facts.add('holds', '@')
  if (holdsInput(call.input) || call.document?.holds === true) facts.add('script', 'input')
  if (call.input === 'foreign') facts.add('script', 'foreign')
  return judged(call, true)
}
