import { type Failure, fail, LIMITS } from '@string-os/protocol'

export interface Replacement {
  readonly ok: true
  readonly old: string
  /** Null for nothing at all: where the old text is whole lines, they go. */
  readonly new: string | null
}

const DEFAULT_SEPARATOR = '---'

/** How the texts of a body are told apart. */
export interface Separators {
  /** Between old and new; `---` where none is given. */
  readonly separator: string | undefined
  /** Between one replacement and the next; without it there is one. */
  readonly next: string | undefined
}

/** `old`, a line that separates, `new`; and perhaps, behind another line, the same again. */
export function parseReplacements(
  body: string,
  { separator = DEFAULT_SEPARATOR, next }: Separators,
): { readonly ok: true; readonly items: readonly Replacement[] } | Failure {
  const lines = body.replace(/\r?\n$/, '').split(/\r?\n/)
  if (next === separator)
    return fail('USAGE', `The line ${next} cannot separate both`, `--next takes another line than ${separator}`)
  const parts = next === undefined ? [lines] : splitAt(lines, next)
  if (parts.length > LIMITS.replacements)
    return fail('TOO_LARGE', `One body makes at most ${LIMITS.replacements} replacements`, 'Send the others after it')
  const items: Replacement[] = []
  for (const [index, part] of parts.entries()) {
    const item = parseReplacement(part, separator)
    if (!item.ok) return { ...item, system: `${labelOf(index, parts.length)}${item.system}` }
    items.push(item)
  }
  return { ok: true, items }
}

/** Names one of several in an error. */
export function labelOf(index: number, total: number): string {
  return total === 1 ? '' : `Replacement ${index + 1} of ${total}: `
}

function splitAt(lines: readonly string[], separator: string): string[][] {
  const parts: string[][] = [[]]
  for (const line of lines) {
    if (line === separator) parts.push([])
    else parts.at(-1)?.push(line)
  }
  return parts
}

function parseReplacement(lines: readonly string[], separator: string): Replacement | Failure {
  const at = lines.indexOf(separator)
  if (at === -1)
    return fail(
      'USAGE',
      `The body needs a line ${separator} between the old text and the new`,
      'First the old text, then that line, then the new text',
    )
  if (lines.indexOf(separator, at + 1) !== -1) {
    return fail(
      'USAGE',
      `The line ${separator} stands more than once in the body`,
      '--sep LINE chooses another line to separate old from new, for example --sep ====',
      '--next LINE names a line between one replacement and the next, for several in one body',
    )
  }
  const old = lines.slice(0, at).join('\n')
  if (old === '')
    return fail(
      'USAGE',
      `There is no text before the line ${separator}`,
      'First the old text, then that line, then the new text; /append adds at the end',
    )
  return { ok: true, old, new: at === lines.length - 1 ? null : lines.slice(at + 1).join('\n') }
}

/** Where a text stands, which may be a part of a line or go over several; null when that is more often than `most`. */
export function placesOf(text: string, old: string, most: number): number[] | null {
  const places: number[] = []
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + old.length)) {
    if (places.length >= most) return null
    places.push(at)
  }
  return places
}

/** A part of a text that gives way to another; null for nothing at all. */
export interface TextExchange {
  readonly start: number
  readonly end: number
  readonly next: string | null
}

/** Lines to be exchanged for others: what all exchanges of a text come down to. */
export interface LineChange {
  readonly from: number
  readonly count: number
  readonly texts: readonly string[]
}

/** The exchanges stand in their order and do not overlap. */
export function exchangedLines(text: string, exchanges: readonly TextExchange[]): LineChange {
  const first = exchanges[0]?.start ?? 0
  const last = exchanges.at(-1)?.end ?? 0
  const start = text.lastIndexOf('\n', first - 1) + 1
  const lineEnd = text.indexOf('\n', last)
  const end = lineEnd === -1 ? text.length : lineEnd
  const [from = 1] = lineNumbers(text, [first])
  const count = text.slice(start, end).split('\n').length
  return { from: from - 1, count, texts: exchanged(text, start, end, exchanges) }
}

/** A line that was nothing but a text that is taken out goes with it. */
function exchanged(text: string, start: number, end: number, exchanges: readonly TextExchange[]): string[] {
  const lines: string[] = []
  let line = ''
  let isCut = false
  const endLine = (): void => {
    if (!isCut || line !== '') lines.push(line)
    isCut = false
  }
  const put = (piece: string): void => {
    const [first = '', ...others] = piece.split('\n')
    line += first
    for (const other of others) {
      endLine()
      line = other
    }
  }
  let at = start
  for (const { start: from, end: to, next } of exchanges) {
    put(text.slice(at, from))
    if (next === null) isCut = true
    else put(next)
    at = to
  }
  put(text.slice(at, end))
  endLine()
  return lines
}

/** Of places in a text the numbers of their lines. */
export function lineNumbers(text: string, ascending: readonly number[]): number[] {
  let line = 1
  let at = 0
  return ascending.map((place) => {
    for (let next = text.indexOf('\n', at); next !== -1 && next < place; next = text.indexOf('\n', at)) {
      line += 1
      at = next + 1
    }
    return line
  })
}
