import { isDevice, isHidden } from '../know/files.ts'
import { giveName, isIdentifier } from '../know/names.ts'
import { REFUSED, runs, unnamed } from '../know/refusal.ts'
import { known, quote } from '../know/text.ts'
import type { Walk } from '../write/walk.ts'
import { type Call, codeFile, type Judged, judged, type Rule, refused, takesValue } from './call.ts'

/** Whatever these are given, they take it for text. */
const anything: Rule = (call) => judged(call, true)

/** The folder decides which files the names behind it are. */
const cd: Rule = (call, walk) => {
  for (const { guess } of call.words) {
    if (isDevice(`${guess}/`)) return refused(call, walk, REFUSED.device)
    if (isHidden(guess)) walk.facts.add('script', 'hidden')
  }
  return judged(call, true)
}

/** What looks like an element of an array, whose index would be evaluated. */
const hasIndex = ({ words }: Call): boolean => words.some(({ value }) => value !== null && /\w\[/.test(value))

/** These read a number or a name, which the script knows. */
const withoutValue: Rule = (call, walk) =>
  call.words.some(({ holds }) => holds) || hasIndex(call)
    ? refused(call, walk, unnamed(`${call.name} with a field or an index`))
    : judged(call, true)

/** Its -p takes a name, which must not be an element of an array. */
const wait: Rule = (call, walk) =>
  call.words.every(({ value, isNumber }) => isNumber || (value !== null && /^(?:-[nf]|%\w*)$/.test(value)))
    ? judged(call, true)
    : refused(call, walk, unnamed('this form of wait'))

/** `read x`, `mapfile x`: the variables that are named hold what is read. */
function reader(options: RegExp, valued: RegExp, ownName: string): Rule {
  return (call, walk) => {
    const names: string[] = []
    for (let at = 0; at < call.words.length; at += 1) {
      const value = call.words[at]?.value ?? null
      if (value !== null && valued.test(value)) at += 1
      else if (value !== null && options.test(value)) continue
      else if (value !== null && isIdentifier(value)) names.push(value)
      else return refused(call, walk, REFUSED.name)
    }
    if (call.words.some(({ holds }) => holds)) return refused(call, walk, REFUSED.name)
    if (names.length === 0) walk.facts.add('given', ownName)
    for (const name of names.length === 0 ? [ownName] : names) fill(name, call, walk)
    return judged(call, true)
  }
}

function fill(name: string, { name: program, at, words }: Call, walk: Walk): void {
  if (name === 'REPLY' || name === 'MAPFILE') {
    for (const fact of ['given', 'holds', 'text'] as const) walk.facts.add(fact, name)
  } else giveName(name, { holds: true, isNumber: false }, at, walk)
  if (program !== 'read' || words.some(({ value }) => /^-\w*a/.test(value ?? ''))) walk.facts.add('array', name)
}

/** `export name=value`: an assignment that is written as an argument. */
const declaration: Rule = (call, walk) => {
  for (const { value, start, guess, holds, isOne, isNumber } of call.words) {
    if (value !== null && (/^-[rxg]+$/.test(value) || isIdentifier(value))) continue
    const [, name] = /^([A-Za-z_]\w*)\+?=/.exec(start) ?? []
    if (name === undefined || !isOne) return refused(call, walk, REFUSED.name)
    if (walk.facts.has('array', name)) return refused(call, walk, REFUSED.arrayValue)
    // Where the builtin is quoted, or behind another word, these are plain words to the parser.
    giveName(name, { holds, isNumber, guess: start.includes('+=') ? '*' : guess.replace(/^.*?=/s, '') }, call.at, walk)
  }
  return judged(call, true)
}

const set: Rule = (call, walk) => {
  const end = call.words.findIndex(({ value }) => value === '--')
  const options = call.words.slice(0, end === -1 ? undefined : end).map(({ value }) => value ?? '')
  const isKnown = options.every((option) =>
    /^[-+](?:[efuxvC]*o?|[efuxvC]+)$|^(?:pipefail|errexit|nounset|noglob|xtrace)$/.test(option),
  )
  if (!isKnown) return refused(call, walk, unnamed('this form of set'))
  if (call.words.some(({ holds }) => holds)) walk.facts.add('holds', '@')
  return judged(call, true)
}

const GLOBS = /^(?:-[su]|globstar|nullglob|dotglob|nocaseglob|failglob|nocasematch)$/

const shopt: Rule = (call, walk) =>
  call.words.every(({ value }) => GLOBS.test(value ?? ''))
    ? judged(call, true)
    : refused(call, walk, unnamed('this form of shopt'))

const unset: Rule = (call, walk) =>
  call.words.every(({ value }) => value !== null && (/^-[vf]$/.test(value) || isIdentifier(value)))
    ? judged(call, true)
    : refused(call, walk, REFUSED.name)

const UNARY = /^-[nzfderwxsLhbcpSugkOGNt]$/
const BINARY = /^(?:=|==|!=|<|>|-eq|-ne|-gt|-ge|-lt|-le|-nt|-ot|-ef)$/

/**
 * How many words `[ … ]` has, and the operator among them, decide whether one of them is evaluated. Both are certain here: one
 * comparison, of words that stay one word each.
 */
const test: Rule = (call, walk) => {
  const isBracket = call.name === '['
  const isClosed = !isBracket || call.words.at(-1)?.value === ']'
  const all = isBracket ? call.words.slice(0, -1) : call.words
  const words = all[0]?.value === '!' ? all.slice(1) : all
  const [first, second] = words.map(({ value }) => value ?? '')
  const isName = first === '-v' && isIdentifier(second ?? '')
  const isKnown =
    (words.length === 1 && first !== '!') ||
    (words.length === 2 && (UNARY.test(first ?? '') || isName)) ||
    (words.length === 3 && BINARY.test(second ?? ''))
  return isClosed && isKnown && all.every(({ isOne }) => isOne)
    ? judged(call, true)
    : refused(call, walk, REFUSED.operator)
}

/** `printf [-v name] [--] format values`: the format says what is done with the values, so it is written out. */
const printf: Rule = (call, walk) => {
  const { words, at } = call
  const takesName = words[0]?.value === '-v'
  const name = words[1]?.value ?? ''
  if (takesName && !isIdentifier(name)) return refused(call, walk, REFUSED.name)
  const rest = words.slice(takesName ? 2 : 0)
  const holds = rest.some((word) => word.holds)
  if (takesName) giveName(name, { holds, isNumber: false }, at, walk)
  const isEnded = rest[0]?.value === '--'
  const { value = null, start = '' } = rest[isEnded ? 1 : 0] ?? {}
  // It could be -v and what follows the name of a variable.
  const isOption = !isEnded && (start.startsWith('-') || (value === null && start === ''))
  const isPlain = value !== null && !/%[-+ #0\d.*'hjlLtzq]*n/.test(value)
  return isOption || (holds && !isPlain) ? refused(call, walk, REFUSED.format) : judged(call, true)
}

const source: Rule = (call, walk) => {
  const [file, ...rest] = call.words
  if (file === undefined || rest.some(({ holds }) => holds) || call.document?.holds === true)
    return refused(call, walk, REFUSED.codeInput)
  return judged(call, false, codeFile(file, call, walk))
}

/** What is run later is looked at now. */
const trap: Rule = (call, walk) => {
  const [code, ...signals] = call.words
  if (code?.value === null || signals.some(({ value }) => value === null)) return refused(call, walk, REFUSED.code)
  const value = code?.value ?? '-'
  if (/^-./.test(value)) return refused(call, walk, unnamed('trap with options'))
  if (signals.length === 0 || value === '-' || value === '') return judged(call, true)
  const written = walk.code({ text: value, isBash: true, input: walk.input, at: call.at }) ?? ''
  return { words: [known(value, quote(written)), ...signals], runs: [], isFilter: true }
}

function table(names: string, rule: Rule): [string, Rule][] {
  return names.split(' ').map((name): [string, Rule] => [name, rule])
}

/** Every builtin of bash that may stand beside a field. */
export const BUILTINS: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...table('echo : true false pwd type kill', anything),
  ...table('cd', cd),
  ...table('exit return break continue shift umask ulimit', withoutValue),
  ...table('wait', wait),
  ...table('unset', unset),
  ...table('export readonly local declare typeset', declaration),
  ...table('read', reader(/^-[rse]+$|^-ra$|^-a$/, /^-[ptndNu]$|^-r[pdn]$/, 'REPLY')),
  ...table('mapfile readarray', reader(/^-t$/, /^-(?:d|n)$|^-td$/, 'MAPFILE')),
  ...table('set', set),
  ...table('shopt', shopt),
  ...table('test [', test),
  ...table('printf', printf),
  ...table('source .', source),
  ...table('trap', trap),
])

const OTHERS = new Set(
  (
    'alias bg bind builtin caller compgen complete compopt dirs disown enable eval fc fg getopts hash help history jobs let ' +
    'logout popd pushd suspend times unalias'
  ).split(' '),
)

/** Builtins that may not: most evaluate what they are given, and none is needed. */
export function otherBuiltin(call: Call, walk: Walk): Judged | null {
  if (!OTHERS.has(call.name)) return null
  return refused(
    call,
    walk,
    takesValue(call) || call.name === 'eval' || call.name === 'let' ? runs(call.name) : unnamed(call.name),
  )
}

export function isBuiltin(name: string): boolean {
  return BUILTINS.has(name) || OTHERS.has(name) || /^(?:exec|command)$/.test(name)
}
