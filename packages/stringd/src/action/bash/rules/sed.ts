import { REFUSED } from '../know/refusal.ts'
import type { Text } from '../know/text.ts'
import { judged, type Rule, refused, takesValue } from './call.ts'

const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|\/(?:[^\/\\\n]|\\.)*\/I?)`
const SUBSTITUTE = String.raw`(?:[sy]([\/|,:#@!%_])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpiI0-9]*)`
const COMMAND = new RegExp(
  String.raw`^\s*(?:${ADDRESS}(?:\s*,\s*(?:[+~]?\d+|${ADDRESS}))?)?\s*!?\s*(?:${SUBSTITUTE}|[dDgGhHnNpPx=]|[qQ]\d*|[aic] [^\\\n]*)\s*(?:;|\n|$)`,
)
const FLAGS = /^-[nErsuz]+$|^-i[\w.]*$|^--(?:quiet|regexp-extended|in-place|posix)$/

/** What sed is told to do must be nothing but editing: its `e` runs what it reads, `w` writes it anywhere. */
export const sed: Rule = (call, walk) => {
  const { programs, hasOpenOption } = programsIn(call.words)
  const isKnown = programs.every((program) => program !== null)
  // What is read from a file or a command may be a value that came there by other ways.
  if (!(takesValue(call) || hasOpenOption) && isKnown) return judged(call, true)
  if (hasOpenOption && isKnown) return refused(call, walk, REFUSED.sedFile)
  const isPlain = programs.length > 0 && programs.every((program) => program !== null && isPlainSed(program))
  // What is told to write instead does the same.
  const replaces = call.words.some(({ start, holds }) => holds && /^s[^\w\s]/.test(start))
  return isPlain ? judged(call, true) : refused(call, walk, replaces ? REFUSED.sedReplaces : REFUSED.sed)
}

interface Programs {
  /** Null where one is not known. */
  readonly programs: readonly (string | null)[]
  /** A field could be an option. */
  readonly hasOpenOption: boolean
}

function programsIn(words: readonly Text[]): Programs {
  const end = words.findIndex(({ value }) => value === '--')
  const programs: (string | null)[] = []
  let isCode = false
  for (const { value, start, holds } of words.slice(0, end === -1 ? undefined : end)) {
    if (isCode) programs.push(value)
    else if (value !== null && FLAGS.test(value)) continue
    else if (programs.length === 0 && !start.startsWith('-')) programs.push(value)
    else if (value !== '-e' && value !== '-ne' && (holds || value === null || value.startsWith('-')))
      return { programs, hasOpenOption: true }
    isCode = !isCode && (value === '-e' || value === '-ne')
  }
  const isBehind = programs.length === 0 && end !== -1
  return { programs: isBehind ? [words[end + 1]?.value ?? null] : programs, hasOpenOption: false }
}

/** Whether a program only edits: substitutions without flags that write or run, and commands of one letter. */
function isPlainSed(program: string): boolean {
  let rest = program
  while (rest.trim() !== '') {
    const [matched] = COMMAND.exec(rest) ?? []
    if (matched === undefined || matched === '') return false
    rest = rest.slice(matched.length)
  }
  return true
}
