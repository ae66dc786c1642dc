import { REFUSED } from '../know/refusal.ts'
import type { Walk } from '../write/walk.ts'
import { type Call, type Judged, judged, type Rule, refused } from './call.ts'

/** Tests that take a text. */
const TESTS =
  /^-(?:i?name|i?path|i?wholename|i?regex|regextype|newer\w*|size|type|maxdepth|mindepth|[acm]time|[acm]min|user|group|perm|links|inum|samefile|printf)$/
/** Below a folder that the call or every shell knows. */
const PLACE = /^\$\w+\//
const RUNS = /^-(?:exec|execdir|ok|okdir)$/

/**
 * find takes a field behind the beginning of a place, or behind a test: alone in a word it may be `-delete` or `-exec`, and a `--` before it
 * changes nothing. A program that it runs is looked at as if it stood alone.
 */
export function find(judge: Rule): Rule {
  return (call, walk) => {
    const { words } = call
    const isOpen = words.some(
      ({ holds, start, guess }, at) =>
        holds && start === '' && !PLACE.test(guess) && !TESTS.test(words[at - 1]?.value ?? ''),
    )
    if (isOpen) return refused(call, walk, REFUSED.findPlace)
    const firstTest = words.findIndex(({ start }) => /^[-(!]/.test(start))
    for (const [at, word] of words.entries()) {
      const isText = TESTS.test(words[at - 1]?.value ?? '') || firstTest === -1 || at < firstTest
      const isUnclear = word.holds || (!word.isOne && word.value === null && at > firstTest && firstTest !== -1)
      if (isUnclear && !(word.isOne && isText)) return refused(call, walk, REFUSED.find)
      if (RUNS.test(word.value ?? '')) return judgeRun(call, at, judge, walk)
    }
    return judged(call)
  }
}

/** The program behind -exec. The names that it is given may be anything. */
function judgeRun(call: Call, at: number, judge: Rule, walk: Walk): Judged {
  const [program, ...rest] = call.words.slice(at + 1)
  const end = rest.findIndex(({ value }) => value === ';' || value === '+')
  const path = program?.value ?? ''
  const isClear = end !== -1 && path !== '' && !path.includes('{}') && !rest.some(({ holds }) => holds)
  const others = rest.slice(end)
  if (!isClear || others.some(({ value }) => RUNS.test(value ?? ''))) return refused(call, walk, REFUSED.find)
  const words = rest
    .slice(0, end)
    .map((word) =>
      word.value?.includes('{}') === true ? { ...word, value: null, path: null, start: '', holds: true } : word,
    )
  const name = path.slice(path.lastIndexOf('/') + 1)
  const found = judge({ ...call, name, path, words, input: 'own', document: null }, walk)
  return { words: [...call.words.slice(0, at + 2), ...found.words, ...others], runs: found.runs, isFilter: false }
}
