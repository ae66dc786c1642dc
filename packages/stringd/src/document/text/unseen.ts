import { count, unseenIn } from '@string-os/protocol'
import type { Warning } from '../document.ts'

/** A document keeps what nobody can see in it; whoever reads it is told. */
export function unseenWarnings(text: string): Warning[] {
  const unseen = unseenIn(text)
  if (unseen === null) return []
  const message = `${count(unseen.count, 'character')} that cannot be seen, the first in this line; /exec cat -A shows them`
  return [{ line: unseen.line, message, next: 'Type that line anew, unless they are meant' }]
}
