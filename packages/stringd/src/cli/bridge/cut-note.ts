/** Of an answer that was cut, by what, and what a person does about it; null: it is whole, or nobody knows its profile. */
export function cutNote({ truncated }: { readonly truncated: boolean }, profile: string | null): string | null {
  if (!truncated || profile === null) return null
  return `the answer was cut: a larger max_reply_chars in ${profile} allows more`
}
