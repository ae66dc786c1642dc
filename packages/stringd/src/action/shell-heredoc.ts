/** `<<WORD` as it is announced; its text begins on the next line. */
export interface Heredoc {
  readonly delimiter: string
  /** Nothing in it is replaced. */
  readonly isQuoted: boolean
  readonly stripsTabs: boolean
  /** It goes to a program that runs it. */
  readonly isCode: boolean
}

/** The here-document that is announced at `at`; null for `<<<` and what is none. */
export function heredocAt(
  text: string,
  at: number,
  isCode: boolean,
): { readonly heredoc: Heredoc; readonly length: number } | null {
  const [whole, dash, word = ''] = /^<<(-?)[ \t]*([^\s;&|<>()]+)/.exec(text.slice(at, at + 300)) ?? []
  if (whole === undefined) return null
  const delimiter = word.replace(/['"\\]/g, '')
  const heredoc = { delimiter, isQuoted: delimiter !== word, stripsTabs: dash === '-', isCode }
  return { heredoc, length: whole.length }
}

/** Where the text of a here-document ends, and where the line that ends it does. */
export function heredocEnd(
  text: string,
  start: number,
  { delimiter, stripsTabs }: Heredoc,
): { readonly body: number; readonly whole: number } | null {
  let at = start
  for (;;) {
    const next = text.indexOf('\n', at)
    const line = text.slice(at, next === -1 ? undefined : next)
    if ((stripsTabs ? line.replace(/^\t+/, '') : line) === delimiter) return { body: at, whole: at + line.length }
    if (next === -1) return null
    at = next + 1
  }
}
