/** The candidate that is the fewest edits away, when that is close enough to be a slip. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  let best: { candidate: string; distance: number } | null = null
  for (const candidate of candidates) {
    const distance = editDistance(word.slice(0, 64).toLowerCase(), candidate.toLowerCase())
    const isNearer = distance <= mostEdits(word, candidate) && distance < (best?.distance ?? Number.POSITIVE_INFINITY)
    if (isNearer && isAlike(word, candidate)) {
      best = { candidate, distance }
    }
  }
  return best?.candidate ?? null
}

/** Of a short name, two other letters make another name, unless it begins alike: who slips knows how a name begins. */
function mostEdits(word: string, candidate: string): number {
  const isShort = Math.min(word.length, candidate.length) < 6
  const beginsAlike = word.charAt(0).toLowerCase() === candidate.charAt(0).toLowerCase()
  return candidate.length < 4 || (isShort && !beginsAlike) ? 1 : 2
}

/** Of two letters, one in common makes no other spelling: most of the shorter word are in the longer. */
function isAlike(a: string, b: string): boolean {
  const left = b.toLowerCase().split('')
  const common = a
    .toLowerCase()
    .split('')
    .filter((letter) => {
      const at = left.indexOf(letter)
      if (at >= 0) left.splice(at, 1)
      return at >= 0
    })
  return 2 * common.length > Math.min(a.length, b.length)
}

/** How many letters are missing, too many or wrong, or have changed places with their neighbours. */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j += 1) {
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const wrong = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, wrong, isSwapped ? at(i - 2, j - 2) + 1 : wrong))
    }
  }
  return at(a.length, b.length)
}
