import type { Problem } from './field.ts'

/** `<<WORD` as it is announced; its text begins on the next line. */
export interface Heredoc {
  readonly delimiter: string
  /** Nothing in it is replaced. */
  readonly isQuoted: boolean
  readonly stripsTabs: boolean
  /** It goes to a program that runs it. */
  readonly isCode: boolean
}

/** A delimiter that reads the same to everyone: plain, or quoted as a whole. */
const DELIMITER = /^(?:[A-Za-z0-9_.-]+|\\[A-Za-z0-9_.-]+|'[A-Za-z0-9_.-]+'|"[A-Za-z0-9_.-]+")$/

/** The here-document that is announced at `at`; null for `<<<`, which is none. */
export function heredocAt(
  text: string,
  at: number,
  isCode: boolean,
): { readonly heredoc: Heredoc; readonly length: number } | Problem | null {
  if (text.startsWith('<<<', at)) return null
  const [whole = '', dash, word = ''] = /^<<(-?)[ \t]*([^ \t\n;&|<>()]*)/.exec(text.slice(at, at + 300)) ?? []
  if (!DELIMITER.test(word)) return { problem: 'the word behind << is letters and digits, perhaps in quotes' }
  const delimiter = word.replace(/['"\\]/g, '')
  const heredoc = { delimiter, isQuoted: delimiter !== word, stripsTabs: dash === '-', isCode }
  return { heredoc, length: whole.length }
}

/** Where the text of a here-document ends, and where the line that ends it does; null where that is not certain. */
export function heredocEnd(
  text: string,
  start: number,
  { delimiter, stripsTabs, isQuoted }: Heredoc,
): { readonly body: number; readonly whole: number } | null {
  let at = start
  for (;;) {
    const next = text.indexOf('\n', at)
    const line = text.slice(at, next === -1 ? undefined : next)
    if ((stripsTabs ? line.replace(/^\t+/, '') : line) === delimiter) return { body: at, whole: at + line.length }
    // The next line would be a part of this one, whatever it says.
    if (next === -1 || (!isQuoted && line.endsWith('\\'))) return null
    at = next + 1
  }
}
