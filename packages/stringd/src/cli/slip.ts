/**
 * Whether `word` was probably meant to be `name`: the same but for one letter, or two neighbours that changed places, or,
 * in a long one, two of that; or the one in the plural and the other in the singular. Stricter than a suggestion for what
 * is wrong anyway, because a word that is no verb may well be a topic.
 */
export function isSlip(written: string, name: string): boolean {
  const word = written.slice(0, 64).toLowerCase()
  if (word === name) return written !== name
  if (plurals(name).includes(word) || plurals(word).includes(name)) return true
  // Of three letters, any other is a word of its own.
  if (name.length < 4 && word.length <= name.length) return [...word].sort().join('') === [...name].sort().join('')
  return name.length >= 4 && slips(word, name) <= (name.length < 6 ? 1 : 2)
}

function plurals(word: string): readonly string[] {
  return [`${word}s`, word.replace(/y$/, 'ies')].filter((plural) => plural !== word)
}

/** How many letters are missing, too many or wrong, or have changed places with their neighbours. */
function slips(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j += 1) {
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] && i > 1 && j > 1
      const wrong = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, wrong, isSwapped ? at(i - 2, j - 2) + 1 : wrong))
    }
  }
  return at(a.length, b.length)
}
