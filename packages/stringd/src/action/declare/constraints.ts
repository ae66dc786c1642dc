/** What stands between two commas in the brackets of a field. */
export interface Constraint {
  readonly word: string
  /** Parted by bars; what stood in quotes is without them. */
  readonly choices: readonly string[]
}

/** One of `"a b"`, `'a b'` or what reaches to the next bar, comma or bracket. A bar always parts two, and a quote elsewhere is a letter. */
const CHOICE = /\s*(?:"((?:[^"\\|]|\\[^|])*)"|'([^'|]*)')\s*(?=[|,)])|([^|,)]*)/y

/** A choice as it is written among others. */
export function choiceText(choice: string): string {
  return /[\s,|"]|^$/.test(choice) ? `"${choice.replace(/["\\]/g, '\\$&')}"` : choice
}

/** The constraints that a text begins with, `(required, a|b)`, and what is behind them; null where it begins otherwise. */
export function readBracket(text: string): { readonly items: readonly Constraint[]; readonly rest: string } | null {
  if (!text.startsWith('(')) return null
  const items: Constraint[] = []
  let start = 1
  let choices: string[] = []
  for (let at = 1; at <= text.length; ) {
    CHOICE.lastIndex = at
    const [, double, single, bare = ''] = CHOICE.exec(text) ?? []
    choices.push(double?.replace(/\\(["\\])/g, '$1') ?? single ?? bare.trim())
    const end = CHOICE.lastIndex
    const mark = text[end]
    if (mark === undefined) return null
    at = end + 1
    if (mark === '|') continue
    const word = text.slice(start, end).trim()
    if (word !== '') items.push({ word, choices })
    if (mark === ')') return { items, rest: text.slice(at).trimStart() }
    start = at
    choices = []
  }
  return null
}
