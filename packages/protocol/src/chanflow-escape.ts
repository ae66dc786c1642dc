/** Puts one backslash between `<` and `𝒞` or `/𝒞`, so that the text can neither end nor begin a block. */
export function escapeTags(text: string): string {
  return text.includes('𝒞') ? text.replace(/<(\\*\/?𝒞)/g, '<\\$1') : text
}

/** Takes away the one backslash that `escapeTags` put in. */
export function unescapeTags(text: string): string {
  return text.includes('𝒞') ? text.replace(/<\\(\\*\/?𝒞)/g, '<$1') : text
}
