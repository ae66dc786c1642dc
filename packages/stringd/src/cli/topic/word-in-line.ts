/** A quote that is open; empty: none. */
export type Quote = '' | "'" | '"'

/** The word of a shell line that is being typed. */
export interface TypedShellWord {
  /** As it stands in the line, quotes and all. */
  readonly raw: string
  readonly start: number
  /** It names what is to run. */
  readonly isCommand: boolean
  /** What is to run, where it stands before the word. */
  readonly command: string | null
  /** What stands between the two; null where the word is not for that, but for the shell. */
  readonly words: readonly string[] | null
}

/** Behind these comes what is to run. */
const BEFORE_COMMAND = new Set(
  '! { if then elif else while until do sudo time exec command builtin env nohup xargs which type man'.split(' '),
)

/** Finds the word at the end of a line that has no end yet. */
export function wordAtEnd(line: string): TypedShellWord {
  let words: string[] = []
  let start = -1
  let quote: Quote = ''
  let isFile = false
  const endWord = (end: number): void => {
    if (start === -1) return
    if (!isFile) words.push(line.slice(start, end))
    isFile = false
    start = -1
  }
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at)
    if (quote !== '') {
      if (character === '\\' && quote === '"') at += 1
      else if (character === quote) quote = ''
    } else if (/[|&;()`]/.test(character)) {
      endWord(at)
      words = []
      isFile = false
    } else if (character === '<' || character === '>') {
      endWord(at)
      isFile = true
    } else if (/\s/.test(character)) endWord(at)
    else {
      if (start === -1) start = at
      if (character === '\\') at += 1
      else if (character === '"' || character === "'") quote = character
    }
  }
  const begun = start === -1 ? line.length : start
  const raw = line.slice(begun)
  // Behind `--file=` and `name=` a path begins.
  const [assigned = ''] = /^[-\w]+=/.exec(raw) ?? []
  const at = words.findIndex((word) => !isBeforeCommand(word))
  // A file that something is written to belongs to the shell.
  const isOwn = at !== -1 && !isFile && assigned === ''
  return {
    raw: raw.slice(assigned.length),
    start: begun + assigned.length,
    isCommand: !isFile && assigned === '' && at === -1,
    command: words[at] ?? null,
    words: isOwn ? words.slice(at + 1) : null,
  }
}

function isBeforeCommand(word: string): boolean {
  return BEFORE_COMMAND.has(word) || /^\w+=/.test(word)
}

/** What a piece of a word stands for, and which quote is open behind it; null where a variable in it is not known. */
export function readPiece(
  piece: string,
  open: Quote,
  variables: ReadonlyMap<string, string>,
): { readonly text: string; readonly open: Quote } | null {
  let quote = open
  let text = ''
  for (const [part, escaped, plain, braced] of piece.matchAll(PIECE)) {
    const name = plain ?? braced
    if (quote === "'") {
      // Nothing in it means anything but its end.
      const end = part.indexOf("'")
      if (end === -1) text += part
      else if (part.length > 1) return null
      else quote = ''
    } else if (name !== undefined) {
      const value = variables.get(name)
      if (value === undefined) return null
      text += value
    } else if (escaped !== undefined) text += escaped
    else if (part === quote) quote = ''
    else if (quote === '' && (part === '"' || part === "'")) quote = part
    else text += part
  }
  return { text, open: quote }
}

const PIECE = /\\([\s\S]?)|\$(?:(\w+)|\{(\w+)\})|[\s\S]/gu

/** A name as it must be typed behind what is typed already; null where that cannot be. */
export function writtenName(name: string, open: Quote): string | null {
  if (open === "'") return name.includes("'") ? null : name
  if (open === '"') return name.replace(/[$`"\\]/g, '\\$&')
  return name.replace(/[\s!"#$&'()*;<>?[\\\]^`{|}~]/g, '\\$&')
}
