/** Where the bracket that opens at `from` is closed again; null when it is not. */
export function balancedEnd(text: string, from: number, open: string, close: string): number | null {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === '\\') at += 1
    else if (character === open) depth += 1
    else if (character === close) depth -= 1
    if (depth === 0) return at + 1
  }
  return null
}
