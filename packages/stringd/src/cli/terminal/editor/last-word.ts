const WORD = /(?:'[^']*'?|"(?:[^"\\]|\\.)*"?|\\.|[^\s'"\\])+/gs

/** The last word of a line, with its quotes; empty where it has none. */
export function lastWord(line: string): string {
  return line.match(WORD)?.at(-1) ?? ''
}
