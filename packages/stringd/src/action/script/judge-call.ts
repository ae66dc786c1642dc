import { BUILTINS, isBuiltin, otherBuiltin } from './builtins.ts'
import { type Call, type Judged, judged, refused, takesValue } from './call.ts'
import { interpreterRule } from './interpreters.ts'
import { prefixRule } from './prefixes.ts'
import { FILTERS, RUNNERS } from './programs.ts'
import { REFUSED, runs } from './refusal.ts'
import { toolRule } from './tools.ts'
import type { Walk } from './walk.ts'

/** Looks at a simple command: what it does with the values that reach it. */
export function judgeCall(call: Call, walk: Walk): Judged {
  const found = judgeProgram(call, walk)
  if (call.input === 'piped' && !found.isFilter) walk.refuse(REFUSED.pipe, call.at)
  return found
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
  if (RUNNERS.has(name)) return runner(call, walk)
  if (isPath) walk.facts.add('script', 'own')
  return judged(call, isPath, isPath ? [path] : [])
}

function ruleOf(name: string): ReturnType<typeof toolRule> {
  return prefixRule(name, judgeProgram) ?? interpreterRule(name) ?? toolRule(name, judgeProgram)
}

/** A program that runs others may stand beside a field as long as it gets none, also by the name of a variable. */
function runner(call: Call, walk: Walk): Judged {
  const texts = call.document === null ? call.words : [...call.words, call.document]
  const names = texts.some(({ value }) => value === null || /[$`]/.test(value))
  return takesValue(call) || names ? refused(call, walk, runs(call.name)) : judged(call)
}

function callFunction(call: Call, { facts }: Walk): Judged {
  if (call.words.some(({ holds }) => holds)) facts.add('holds', '@')
  if (call.input !== 'own' || call.document?.holds === true) facts.add('script', 'input')
  return judged(call, true)
}
