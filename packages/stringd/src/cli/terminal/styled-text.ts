import { withoutStyles } from '@string-os/protocol'
import { fitText, safeText, widthOf } from './cells.ts'
import { fitStyled, safeStyled } from './program-styles.ts'

/** Begin and end of each way to print, as a terminal is told. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  inverse: [7, 27],
  strike: [9, 29],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const

export type Style = keyof typeof STYLES

/** A piece of a line. Its text may be anybody's: only `paint` prints it, and makes visible what would control a terminal. */
export interface StyledText {
  readonly text: string
  readonly styles?: readonly Style[]
  /** Where it leads, for terminals that can follow. */
  readonly link?: string
  /** It has the styles of the program that printed it. */
  readonly isProgram?: true
}

export type Line = readonly StyledText[]

export interface Paint {
  readonly color: boolean
  /** Whether the terminal knows links. */
  readonly links: boolean
}

/** A line as it is written to a terminal. */
export function paint(line: Line, { color, links }: Paint): string {
  return line.map((span) => painted(span, color, links && color)).join('')
}

function painted({ text, styles = [], link, isProgram }: StyledText, color: boolean, links: boolean): string {
  if (isProgram) return safeStyled(color ? text : withoutStyles(text))
  const safe = safeText(text)
  if (!color || safe === '') return safe
  const begun = styles.map((style) => `\x1b[${STYLES[style][0]}m`).join('')
  const ended = styles.map((style) => `\x1b[${STYLES[style][1]}m`).join('')
  const address = links && link !== undefined ? linkAddress(link) : null
  const shown = `${begun}${safe}${ended}`
  return address === null ? shown : `\x1b]8;;${address}\x1b\\${shown}\x1b]8;;\x1b\\`
}

/** Only what a browser opens, and nothing that could end the sequence: every character of it is printable ASCII. */
function linkAddress(link: string): string | null {
  if (!/^https?:\/\//i.test(link) || link.length > 2_000 || !URL.canParse(link)) return null
  const { href } = new URL(link)
  return /^[\x21-\x7e]+$/.test(href) ? href : null
}

/** As much of it as there is room for, with `…` where something was left out. */
export function fitLine(line: Line, width: number): Line {
  if (lineWidth(line) <= width) return line
  const fit: StyledText[] = []
  let room = width
  for (const span of line) {
    const { text, isProgram } = span
    const used = lineWidth([span])
    // The last column is for what tells of the rest.
    if (used >= room) return [...fit, { ...span, text: isProgram ? fitStyled(text, room) : fitText(text, room) }]
    fit.push(span)
    room -= used
  }
  return fit
}

export function lineWidth(line: Line): number {
  return line.reduce((width, { text, isProgram }) => width + widthOf(isProgram ? withoutStyles(text) : text), 0)
}
