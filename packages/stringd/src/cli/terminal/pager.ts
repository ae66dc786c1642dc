import { fitText, widthOf } from './cells.ts'

/** How large the window is. */
export interface Window {
  readonly width: number
  readonly height: number
}

/** What a key means while there is more to show; null: it begins something else. */
type PagerWish =
  | 'screen'
  | 'line'
  | 'half'
  | 'line-at-most'
  | 'screen-back'
  | 'line-back'
  | 'half-back'
  | 'top'
  | 'rest'
  | 'search'
  | 'search-back'
  | 'next-match'
  | 'match-before'
  | 'end'
  | null

const WISHES: Readonly<Record<string, PagerWish>> = {
  space: 'screen',
  pagedown: 'screen',
  'ctrl-f': 'screen',
  return: 'line',
  enter: 'line',
  down: 'line',
  // Who scrolls on with these stays at the end.
  j: 'line-at-most',
  d: 'half',
  'ctrl-d': 'half',
  k: 'line-back',
  u: 'half-back',
  'ctrl-u': 'half-back',
  b: 'screen-back',
  pageup: 'screen-back',
  'ctrl-b': 'screen-back',
  up: 'line-back',
  g: 'top',
  home: 'top',
  G: 'rest',
  end: 'rest',
  '/': 'search',
  '?': 'search-back',
  n: 'next-match',
  N: 'match-before',
  q: 'end',
  escape: 'end',
  'ctrl-c': 'end',
}

export function pagerWish(key: string): PagerWish {
  return WISHES[key] ?? null
}

/** How far one key goes. */
export type Step = 'screen' | 'half' | 'line'

/** Of a text that is taller than the window, the lines that are shown next: at least one, and a row is left for what is said below. */
export function nextLines(lines: readonly string[], from: number, wish: Step, window: Window): number {
  const room = roomOf(wish, window)
  return countThatFit(lines.slice(from, from + room), room, window)
}

/** Where a screen, or what else is gone back, begins that ends before a line. */
export function screenBefore(lines: readonly string[], to: number, window: Window, step: Step = 'screen'): number {
  const room = roomOf(step, window)
  return to - countThatFit(lines.slice(Math.max(0, to - room), to).reverse(), room, window)
}

function roomOf(step: Step, { height }: Window): number {
  if (step === 'line') return 1
  return step === 'half' ? Math.max(1, Math.floor((height - 1) / 2)) : height - 1
}

function countThatFit(lines: readonly string[], room: number, { width }: Window): number {
  let rows = 0
  let count = 0
  for (const line of lines) {
    rows += rowsOf(line, width)
    if (count > 0 && rows > room) break
    count += 1
  }
  return count
}

/** What is not shown is not measured. */
export function isTaller(lines: readonly string[], { width, height }: Window): boolean {
  if (lines.length > height - 1) return true
  return lines.reduce((sum, line) => sum + rowsOf(line, width), 0) > height - 1
}

/** Where a text that was laid out anew goes on as a line of it did before: so much was printed above, blanks left out. */
export function sameLine(before: readonly string[], at: number, after: readonly string[]): number {
  let left = before.slice(0, at).reduce((sum, line) => sum + inkOf(line), 0)
  const found = after.findIndex((line) => {
    left -= inkOf(line)
    return left < 0
  })
  return found === -1 ? after.length : found
}

/** What stands below: how much there is, and what keys do, as far as there is room. */
export function moreText(left: number, total: number, width: number): string {
  const more = left === 0 ? 'end' : `${left} more ${left === 1 ? 'line' : 'lines'}`
  const share = `${more} (${Math.floor((100 * (total - left)) / total)}%)`
  const onward = left === 0 ? '' : 'Space next, Enter a line, '
  const whole = `-- ${more}: ${onward}b back, g top, ${left === 0 ? '' : 'G end, '}q leaves --`
  const searching = whole.replace(/q leaves --$/, '/ searches, q leaves --')
  const short = `-- ${more}: ${left === 0 ? 'b' : 'Space, Enter, b'}, q --`
  const texts = left === 0 ? [whole, short] : [searching, whole, short]
  return (
    texts
      .flatMap((text) => (left === 0 ? [text] : [text.replace(more, share), text]))
      .find((text) => text.length < width) ?? fitText(`-- ${more}, q --`, Math.max(1, width - 1))
  )
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: only what we painted ourselves has them
const PAINTED = /\x1b\[[\d;]*m|\x1b\]8;;[^\x1b]*\x1b\\/g
/** The same, kept where a line is split there. */
const SEPARATED = new RegExp(`(${PAINTED.source})`)

/** The next line that holds a text, from one on and in one direction; lower case finds both. */
export function matchingLine(lines: readonly string[], sought: string, from: number, step: 1 | -1): number | null {
  for (let at = from; at >= 0 && at < lines.length; at += step)
    if (placesOf(lines[at] ?? '', sought).length > 0) return at
  return null
}

/** A painted line, with what was sought in it marked. */
export function markedLine(line: string, sought: string): string {
  const places = placesOf(line, sought)
  if (places.length === 0) return line
  let at = 0
  const pieces = line.split(SEPARATED).map((piece) => {
    if (piece.startsWith('\x1b')) return piece
    const shown = Array.from({ length: piece.length }, (_, index) => {
      const isIn = places.some((from) => at + index >= from && at + index < from + sought.length)
      return { isIn, letter: piece.charAt(index) }
    })
    at += piece.length
    return (
      shown.map(({ isIn, letter }, index) => edge(isIn, shown[index - 1]?.isIn) + letter).join('') +
      edge(false, shown.at(-1)?.isIn)
    )
  })
  return pieces.join('')
}

/** What a terminal is told where what is marked begins or ends. */
function edge(isIn: boolean, wasIn = false): string {
  return isIn === wasIn ? '' : isIn ? '\x1b[7m' : '\x1b[27m'
}

/** Where in what is seen of a line a text stands. */
function placesOf(line: string, sought: string): readonly number[] {
  const plain = line.replace(PAINTED, '')
  // What has another length in lower case would be marked at the wrong place.
  const lower = plain.toLowerCase()
  const text = sought === sought.toLowerCase() && lower.length === plain.length ? lower : plain
  const places: number[] = []
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + sought.length)) places.push(at)
  return places
}

function inkOf(line: string): number {
  return line.replace(PAINTED, '').replace(/\s/g, '').length
}

function rowsOf(line: string, width: number): number {
  return Math.max(1, Math.ceil(widthOf(line.replace(PAINTED, '')) / width))
}
