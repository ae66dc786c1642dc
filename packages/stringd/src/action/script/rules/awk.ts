import { refusal, runs } from '../write/refusal.ts'
import type { Text } from '../write/text.ts'
import { awkCode } from './awk-code.ts'
import { judged, type Rule, refused, takesValue } from './call.ts'

const PLACE = refusal('a program of awk is written out, and a field stands behind it or behind -v', 'awk')

/** The program of awk is the first word behind its options; what stands behind it are files and `name=text`. */
export const awk: Rule = (call, walk) => {
  const { words } = call
  const at = programAt(words)
  const program = words[at]
  const isOne = words.slice(0, at + 1).every((word) => word.isOne)
  // What is read from a file or a command may be a value that came there by other ways.
  if (program !== undefined && (program.value === null || !isOne)) return refused(call, walk, PLACE)
  // What a variable holds is in its environment.
  if (!takesValue(call) && !walk.facts.has('script', 'holds')) return judged(call, true)
  if (program === undefined || program.start.startsWith('-')) return refused(call, walk, PLACE)
  return runsCommands(program.start) ? refused(call, walk, runs('such a program of awk')) : judged(call, true)
}

function programAt(words: readonly Text[]): number {
  let at = 0
  for (;;) {
    const { value = null, start = '' } = words[at] ?? {}
    if (value === '--') return at + 1
    if (value === '-F' || (value === '-v' && /^[A-Za-z_]\w*=/.test(words[at + 1]?.start ?? ''))) at += 2
    else if (/^-F.|^-v[A-Za-z_]\w*=/s.test(start)) at += 1
    else return at
  }
}

/** Whether a program may run what it reads: by `system`, through a pipe, or by a name that it makes. */
function runsCommands(program: string): boolean {
  return /\bsystem\b|\bgetline\b|\||@/.test(awkCode(program).replaceAll('||', ''))
}
