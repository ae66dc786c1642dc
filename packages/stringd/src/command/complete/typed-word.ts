/** The line up to the cursor: whole words, and the one that is being typed. */
export interface TypedLine {
  /** Without their quotes. */
  readonly before: readonly string[]
  /** Where the word under the cursor begins, with its quotes; the length of the line where none is begun. */
  readonly start: number
  /** What it says so far, without its quotes. */
  readonly word: string
}

// A quote that is open goes on to the cursor.
const PIECE =
  /(?<blank>[ \t]+)|'(?<single>[^']*)(?:'|$)|"(?<double>(?:[^"\\]|\\[\s\S])*)(?:"|\\?$)|\\(?<escaped>[\s\S]|$)|(?<bare>[^ \t'"\\]+)/gy

/** Takes a line apart that has no end yet: by POSIX quoting, as it will be read. */
export function typedLine(line: string): TypedLine {
  const before: string[] = []
  let word: string | null = null
  let start = line.length
  for (const { index, groups: { blank, single, double, escaped, bare } = {} } of line.matchAll(PIECE)) {
    if (blank !== undefined) {
      if (word !== null) before.push(word)
      word = null
      continue
    }
    if (word === null) start = index
    word = (word ?? '') + (bare ?? escaped ?? single ?? double?.replace(/\\([$`"\\])/g, '$1') ?? '')
  }
  return word === null ? { before, start: line.length, word: '' } : { before, start, word }
}

/** A value as it must be typed to be one word again. */
export function typed(value: string): string {
  return /^[^\s'"\\$]+$/.test(value) ? value : `'${value.replaceAll("'", `'"'"'`)}'`
}
