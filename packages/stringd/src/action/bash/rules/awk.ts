import { refusal, runs } from '../know/refusal.ts'
import type { Text } from '../know/text.ts'
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

/** Whether a program may run what it reads: by a function of that name, wherever the word stands, or through a pipe. */
function runsCommands(program: string): boolean {
  return /system|getline|@(?:load|include)|@\w+\s*\(/.test(program) || hasPipe(program.replace(/\\\n/g, ''))
}

/**
 * Whether a program has a `|` that is a pipe, or may be. One in a text, a comment or a pattern is none; but whether a slash divides
 * or begins a pattern only awk knows, so what stands between two of them must read the same either way.
 */
function hasPipe(program: string): boolean {
  const text = program.replaceAll('||', '').replaceAll('\\/', '')
  const isClear = text.split('\n').every((line) =>
    line
      .split('/')
      .slice(1, -1)
      .every((between) => !/["#]/.test(between)),
  )
  const bare = text.replace(/"(?:[^"\\\n]|\\.)*"|#[^\n]*/g, '""').replace(/\/[^/;{}\n]*\//g, '""')
  return isClear ? bare.includes('|') : text.includes('|')
}
