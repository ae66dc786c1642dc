import { type Problem, problem } from '@string-os/protocol'

/** What is looked for: a text as it is, or a regular expression. */
export interface Pattern {
  readonly text: string
  readonly isRegex: boolean
  readonly ignoreCase: boolean
}

/** Finds a pattern in texts. */
export interface Matcher {
  readonly ok: true
  /** Quick, and sure only where it says no. */
  readonly mayHold: (bytes: Buffer) => boolean
  /** No line before this offset has it; -1 when none has. */
  readonly first: (text: string) => number
  /** Where it stands in one line. */
  readonly inLine: (line: string) => { readonly at: number; readonly length: number } | null
  /** The next place in a text where it may stand, for what is told by looking through the whole; null where each line must be asked. */
  readonly next: ((text: string, from: number) => number) | null
}

/** A pattern that can be looked for, or why it is none. */
export function createMatcher({ text, isRegex, ignoreCase }: Pattern): Matcher | Problem {
  if (!isRegex && !ignoreCase) return textMatcher(text)
  const expression = regexOf(isRegex ? text : literal(text), ignoreCase ? 'i' : '')
  return expression.ok ? regexMatcher(expression.regex) : expression
}

function textMatcher(text: string): Matcher {
  const needle = Buffer.from(text)
  const next = (whole: string, from: number): number => whole.indexOf(text, from)
  return {
    ok: true,
    mayHold: (bytes) => bytes.includes(needle),
    first: (whole) => next(whole, 0),
    inLine: (line) => {
      const at = line.indexOf(text)
      return at === -1 ? null : { at, length: text.length }
    },
    next,
  }
}

/** In a whole text a line's match is found at its place or before it, unless the pattern asks what does not follow. */
function regexMatcher(expression: RegExp): Matcher {
  const inText = new RegExp(expression.source, `${expression.flags}m`)
  const asksWhatIsNot = /\(\?<?!/.test(expression.source)
  return {
    ok: true,
    mayHold: () => true,
    first: (text) => (asksWhatIsNot ? 0 : (inText.exec(text)?.index ?? -1)),
    inLine: (line) => {
      const found = expression.exec(line)
      return found === null ? null : { at: found.index, length: found[0].length }
    },
    next: null,
  }
}

/** Strict where that works, so that `\p{L}` does; loose where somebody escapes more than is needed. */
function regexOf(source: string, flags: string): { readonly ok: true; readonly regex: RegExp } | Problem {
  try {
    return { ok: true, regex: new RegExp(source, `${flags}u`) }
  } catch {
    // Perhaps only too strict.
  }
  try {
    return { ok: true, regex: new RegExp(source, flags) }
  } catch (error) {
    return problem(error instanceof Error ? error.message.replace(/^.*: /s, '') : 'it cannot be read')
  }
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
