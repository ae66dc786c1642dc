import { baseOf, isDevice } from '../know/files.ts'
import { REFUSED, runs } from '../know/refusal.ts'
import type { Walk } from '../write/walk.ts'
import { BUILTINS, isBuiltin, otherBuiltin } from './builtins.ts'
import { type Call, holdsInput, type Judged, judged, refused, takesValue } from './call.ts'
import { interpreterRule } from './interpreters.ts'
import { prefixRule } from './prefixes.ts'
import { CODE_OPTION, DUMPERS, FILTERS, LISTERS, RUNNERS } from './programs.ts'
import { toolRule } from './tools.ts'

/** Looks at a simple command: what it does with the values that reach it. */
export function judgeCall(call: Call, walk: Walk): Judged {
  const found = judgeProgram(call, walk)
  if (call.input === 'piped' && !found.isFilter) walk.refuse(REFUSED.pipe, call.at)
  return found
}

/** Whether a program may print what it was not given: a variable of its environment or a function, or the name of a file. */
export function mayTell({ name, path, words }: Call, { facts }: Walk): boolean {
  if (facts.has('function', path)) return true
  if (LISTERS.has(name) && facts.has('script', 'names')) return true
  const isReader = path.includes('/') || DUMPERS.has(name) || isRunning(name)
  return facts.has('script', 'holds') && (isReader || words.some(({ value }) => isRunning(baseOf(value ?? ''))))
}

/** Names that a function of the script cannot have: where it is not yet defined, the command of that name would run. */
export function isKnownName(name: string): boolean {
  return isBuiltin(name) || RUNNERS.has(name) || ruleOf(name) !== null
}

function judgeProgram(called: Call, walk: Walk): Judged {
  const call = walk.facts.has('function', called.path) ? called : { ...called, name: commonName(called.name) }
  if (isDevice(call.path)) return refused(call, walk, REFUSED.device)
  if (walk.facts.matches('target', baseOf(call.path))) return refused(call, walk, REFUSED.written)
  const found = judgeByName(call, walk)
  return { ...found, isFilter: found.isFilter || FILTERS.has(call.name) }
}

/** `bash-5.2`, `vim.basic`, `gxargs`: one program has many names. */
function commonName(name: string): string {
  if (isKnownName(name)) return name
  const plain = name.replace(/\.exe$/, '').replace(/^\w+-linux-\w+-/, '')
  const versioned = plain.replace(
    /[-.]?\d[\w.-]*$|[-.](?:basic|tiny|nox|gtk|openbsd|traditional|distrib|real|static)$/,
    '',
  )
  const other = [plain, versioned, plain.replace(/^g(?=\w)/, '')].find(isKnownName)
  return other ?? name
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
  if (!isPath && givesCode(call)) return refused(call, walk, runs(`${name} with such an option`))
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
  // To make every variable of its environment is one of its own, and is evaluated.
  const isMade = call.name.endsWith('make') && walk.facts.has('script', 'holds')
  const isTold = takesValue(call) || call.input === 'foreign' || names || isMade || walk.facts.has('script', 'writes')
  return isTold ? refused(call, walk, runs(call.name)) : judged(call)
}

/** Whether a field stands behind an option whose name says that it takes a command: `--exec`, `--on-change`. */
function givesCode({ words }: Call): boolean {
  return words.some(({ holds, start }, at) => {
    const isAttached = start.includes('=') && CODE_OPTION.test(start.replace(/=.*$/s, ''))
    return holds && (isAttached || CODE_OPTION.test(words[at - 1]?.value ?? ''))
  })
}

/** `uv run python …`, `bundle exec ruby …`: what stands behind the verb may be a program that is known; so may one with options. */
function judgeVerb(call: Call, walk: Walk): Judged | null {
  const { words, name } = call
  // `uv run -` takes its input for a program.
  const isInput = words.some(({ value }, at) => value === '-' && /^(?:run|exec)$/.test(words[at - 1]?.value ?? ''))
  if (isInput && takesValue(call)) return refused(call, walk, runs(name))
  if (FILTERS.has(name) || !words.some(({ holds }) => holds)) return null
  const verb = words.findIndex(({ value }) => /^(?:run|exec|--)$/.test(value ?? ''))
  const next = words.find(({ start }, index) => index > verb && !start.startsWith('-'))
  if (verb !== -1 && words[verb]?.value !== '--' && next?.holds === true && next.start === '')
    return refused(call, walk, runs(name))
  const at = words.findIndex(({ value }, index) => {
    const isProgram = value !== null && isRunning(commonName(baseOf(value)))
    return isProgram && (words[index + 1]?.start.startsWith('-') === true || (verb !== -1 && index > verb))
  })
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
