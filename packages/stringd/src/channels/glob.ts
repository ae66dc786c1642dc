/** Whether one of the patterns fits the whole name; `*` stands for any characters. */
export function matchesGlob(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => fits(pattern.split('*'), name))
}

/** Takes each piece at the first place where it stands: linear, whatever the pattern. */
function fits([first = '', ...rest]: readonly string[], name: string): boolean {
  if (!name.startsWith(first)) return false
  const last = rest.pop()
  if (last === undefined) return name === first
  let at = first.length
  for (const piece of rest) {
    const found = name.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
