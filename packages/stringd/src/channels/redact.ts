import { Masker, quoted } from '@string-os/protocol'

/** What a server said, on one line, cut short, and without anything secret. What was read of it may end inside of one. */
export function shownReason(text: string, secrets: readonly string[]): string {
  const hidden = new Masker('•••', 1)
  for (const secret of secrets) hidden.add(secret)
  return quoted(hidden.mask(text, { atEnd: true }).trim())
}
