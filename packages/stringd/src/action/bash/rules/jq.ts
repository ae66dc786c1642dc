import { refusal } from '../know/refusal.ts'
import type { Text } from '../know/text.ts'
import { judged, type Rule, refused } from './call.ts'

const PLACE = refusal('a field cannot stand in a program of jq, nor before it', 'jq')

/** The program of jq is the first word behind its options and what these take. */
export const jq: Rule = (call, walk) => {
  const { words } = call
  const at = programAt(words)
  const program = words[at]
  const isOne = words.slice(0, at + 1).every((word) => word.isOne)
  const isKnown = program !== undefined && !program.holds && isOne
  return isKnown || !words.some(({ holds }) => holds) ? judged(call, true) : refused(call, walk, PLACE)
}

function programAt(words: readonly Text[]): number {
  let at = 0
  for (;;) {
    const value = words[at]?.value ?? ''
    if (/^--(?:arg|argjson|slurpfile|rawfile)$/.test(value)) at += 3
    else if (value === '--indent') at += 2
    else if (value.startsWith('-') && !/^(?:-[a-zA-Z]*[fL]|--from-file|--args|--jsonargs)$/.test(value)) at += 1
    else return at
  }
}
