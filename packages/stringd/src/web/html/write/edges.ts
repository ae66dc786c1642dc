/** How many of `characters` stand at the start. */
export function leadingRun(text: string, characters: string): number {
  let length = 0
  while (length < text.length && characters.includes(text[length] ?? '')) length += 1
  return length
}

/** How many of `characters` stand at the end: a pattern that ends in `$` would look from every place before it. */
export function trailingRun(text: string, characters: string): number {
  let start = text.length
  while (start > 0 && characters.includes(text[start - 1] ?? '')) start -= 1
  return text.length - start
}
