import { visibleLine, visibleText } from '@string-os/protocol'

/** More marks over one letter than any language has: they would be painted over the lines around it. */
const PILE = /(\p{M}{6})\p{M}+/gu

/** What somebody else wrote, on one line: what cannot be seen is written out, and piles of marks are cut. */
export function shownLine(text: string): string {
  return visibleLine(text).replace(PILE, '$1…')
}

/** The same for a text of several lines. */
export function shownText(text: string): string {
  return visibleText(text).replace(PILE, '$1…')
}
