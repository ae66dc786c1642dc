import { LIMITS } from '@string-os/protocol'
import { giveName } from '../know/names.ts'
import { REFUSED, runs } from '../know/refusal.ts'
import { type Text, unknown } from '../know/text.ts'
import type { Walk } from '../write/walk.ts'
import { type Call, holdsInput, type Judged, judged, type Rule, refused } from './call.ts'

/** Where the program begins that another one runs; null where that is not certain. */
type Skip = (words: readonly Text[], call: Call, walk: Walk) => number | null

/** Skips options that stand alone and those that take a word, all of them known. */
function skipOptions(alone: RegExp, valued: RegExp): (words: readonly Text[]) => number | null {
  return (words) => {
    let at = 0
    for (;;) {
      const value = words[at]?.value ?? null
      if (value === null || !value.startsWith('-')) return at
      if (valued.test(value) && words[at + 1]?.value != null) at += 2
      else if (alone.test(value)) at += 1
      else return null
    }
  }
}

const NONE = /^(?!)$/
const noOptions = skipOptions(NONE, NONE)

const duration: Skip = (words) => {
  const at = skipOptions(/^(?:--foreground|--preserve-status|-v|-k\S+|-s\S+)$/, /^-[ks]$/)(words)
  return at !== null && /^\d+(?:\.\d+)?[smhd]?$/.test(words[at]?.value ?? '') ? at + 1 : null
}

/** `env NAME=value program`: these are assignments, as in front of a program. */
const environment: Skip = (words, { at: place }, walk) => {
  let at = 0
  for (; at < words.length; at += 1) {
    const word = words[at]
    const [, name] = /^([A-Za-z_]\w*)=/.exec(word?.start ?? '') ?? []
    if (word === undefined || name === undefined || !word.isOne) break
    giveName(name, { holds: word.holds, isNumber: false }, place, walk)
  }
  return words[at]?.start.startsWith('-') === true ? null : at
}

const SKIPS: ReadonlyMap<string, Skip> = new Map<string, Skip>([
  ['exec', noOptions],
  ['nohup', noOptions],
  ['setsid', noOptions],
  ['command', skipOptions(/^-p$/, NONE)],
  ['nice', skipOptions(/^-\d+$|^-n-?\d+$/, /^-n$/)],
  ['timeout', duration],
  ['time', skipOptions(/^-[pv]$/, NONE)],
  ['sudo', skipOptions(/^-[nEH]$/, /^-[ug]$/)],
  ['env', environment],
  ['xargs', skipOptions(/^-(?:0|r|t|n\d+|L\d+|P\d+|0r|r0|d\S+)$|^--(?:null|no-run-if-empty)$/, /^-[nLPd]$/)],
])

/** Looks at the program that a program such as `timeout` runs, as if it stood alone. */
export function prefixRule(name: string, judge: Rule): Rule | null {
  const skip = SKIPS.get(name)
  return skip === undefined ? null : (call, walk) => judgeBehind(call, skip, judge, walk)
}

function judgeBehind(call: Call, skip: Skip, judge: Rule, walk: Walk): Judged {
  const { words, name, input, document, within = 0 } = call
  if (within >= LIMITS.commandPrefixes) return refused(call, walk, runs(name))
  if (name === 'command' && /^-[vV]$/.test(words[0]?.value ?? '')) return judged(call, true)
  const at = skip(words, call, walk)
  const program = at === null ? undefined : words[at]
  if (at === null || words.slice(0, at).some(({ isOne }) => !isOne)) return refused(call, walk, runs(name))
  if (program === undefined) {
    const isPlain = name !== 'exec' || (document?.holds !== true && !holdsInput(input))
    return isPlain && name !== 'sudo' ? judged(call, true) : refused(call, walk, runs(name))
  }
  const path = program.path ?? ''
  const inner = path.slice(path.lastIndexOf('/') + 1)
  // Before the program there may be more assignments than we know of.
  if (program.path === null || !program.isOne || inner === '' || /[$=]/.test(inner) || program.start.includes('='))
    return refused(call, walk, REFUSED.program)
  // What xargs reads becomes words of the program, nobody knows how many.
  const read = name === 'xargs' ? [unknown([], true, false)] : []
  const rest = [...words.slice(at + 1), ...read]
  const called = { ...call, name: inner, path, words: rest, within: within + 1 }
  const found = judge({ ...called, input: name === 'xargs' ? 'own' : input }, walk)
  const written = found.words.slice(0, rest.length - read.length)
  return {
    ...found,
    words: [...words.slice(0, at + 1), ...written],
    runs: path.includes('/') ? [...found.runs, path] : found.runs,
    isFilter: found.isFilter || name === 'xargs',
  }
}
