import { option, refusal, runs } from '../know/refusal.ts'
import type { Text } from '../know/text.ts'
import type { Walk } from '../write/walk.ts'
import { type Call, type Judged, judged, type Rule, refused, takesValue } from './call.ts'

/** Options that take a program, or give it what is read, also in short. */
const RUNNING =
  /^--(?:filter|lua-f|pdf-engine|compress-p|use-compress|use-askpass|pager|to-c|checkpoint-a|rsh|rmt|info-s|new-volume-s|pre(?:=|$)|hostname-bin|exec|bind|preview|on-|open-files|upload-pack|receive-pack|config|plugin|script|post-r)/
const RUNNING_LETTERS: ReadonlyMap<string, RegExp> = new Map([
  ['tar', /^-\w*[IF]$/],
  ['bsdtar', /^-\w*I$/],
  ['rsync', /^-\w*e$/],
  ['fd', /^-[xX]$/],
  ['fdfind', /^-[xX]$/],
  ['man', /^-[PH]$/],
  ['wget', /^-e$/],
  ['scp', /^-[SoF]$/],
  ['pandoc', /^-[FL]$/],
  ['zip', /^-TT$/],
  ['git grep', /^-\w*O$/],
  ['git clone', /^-[uc]$/],
])

/** A field stands where it can be no option: behind `--`, behind an option that takes text, or behind other text. */
export function behindDashes(call: Call, words: readonly Text[], texts: RegExp, name: string, walk: Walk): Judged {
  const end = words.findIndex(({ value }) => value === '--')
  const before = words.slice(0, end === -1 ? undefined : end)
  const letters = RUNNING_LETTERS.get(name) ?? /^(?!)$/
  const isOpen = before.some((word, at) => {
    const option = before[at - 1]?.value ?? ''
    return (word.holds && letters.test(option)) || (mayBeOption(word) && !isText(word, option, texts))
  })
  const isRunning = takesValue(call) && before.some(({ start }) => RUNNING.test(start))
  return isOpen || isRunning ? refused(call, walk, option(name)) : judged(call)
}

/** A value, or file names that a pattern stands for. */
function mayBeOption({ holds, value, start, isOne }: Text): boolean {
  return holds || (value === null && !isOne && start === '')
}

function isText({ start, isOne }: Text, before: string, texts: RegExp): boolean {
  if (!isOne) return false
  if (texts.test(before)) return true
  const [, long, short] = /^(--[\w-]+)=|^(-[A-Za-z])/.exec(start) ?? []
  return start.startsWith('-') ? texts.test(long ?? short ?? '') : start !== ''
}

export function optioned(texts: RegExp): Rule {
  return (call, walk) => behindDashes(call, call.words, texts, call.name, walk)
}

/** To these the name of a file may be a command: `|program`, `msl:file`. */
export const started: Rule = (call, walk) => {
  const isOpen = call.words.some(
    ({ holds, start, isOne }) => holds && !(isOne && /^(?:\.{0,2}\/|[\w-]+\/)/.test(start)),
  )
  const problem = `a file name may be a command for ${call.name}: a field stands behind the beginning of a path`
  return isOpen ? refused(call, walk, refusal(problem, 'started')) : judged(call)
}

/** Programs with commands of their own, of which some run what they are given. */
export function subcommand(running: RegExp): Rule {
  return (call, walk) => {
    const verb = call.words[0]?.value ?? null
    const isVerb = verb !== null && /^[a-z][\w-]*$/.test(verb)
    const isKnown = isVerb && !running.test(verb) && !walk.facts.has('script', 'code')
    const isTold = takesValue(call) || walk.facts.has('script', 'writes')
    return isKnown || !isTold ? judged(call) : refused(call, walk, runs(isVerb ? `${call.name} ${verb}` : call.name))
  }
}
