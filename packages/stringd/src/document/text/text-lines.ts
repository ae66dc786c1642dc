import { type Failure, fail, LIMITS } from '@string-os/protocol'

/** One line and what ends it: nothing only at the end of a text. */
export interface TextLine {
  readonly text: string
  readonly end: '\n' | '\r\n' | ''
}

/** The lines of a text, with every line end kept. Empty text has no lines. */
export function splitLines(text: string): TextLine[] {
  const lines: TextLine[] = []
  let start = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', start)) {
    const isPair = at > start && text.charAt(at - 1) === '\r'
    lines.push({ text: text.slice(start, isPair ? at - 1 : at), end: isPair ? '\r\n' : '\n' })
    start = at + 1
  }
  if (start < text.length) lines.push({ text: text.slice(start), end: '' })
  return lines
}

/** Counts no further than it must: each line of an edit costs far more than its bytes. */
export function hasMoreLines(text: string, limit: number): boolean {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    lines += 1
    if (lines > limit) return true
  }
  return lines === limit && !text.endsWith('\n')
}

/** `what` is the beginning of a sentence: what has them. */
export function tooManyLines(what: string): Failure {
  return fail(
    'TOO_LARGE',
    `${what} more than ${LIMITS.editedLines} lines, which is as many as an edit takes`,
    '/exec can change it, for example with sed',
  )
}

export function joinLines(lines: readonly TextLine[]): string {
  return lines.map(({ text, end }) => text + end).join('')
}

/** The lines that a command's body holds; its final line end is not one more. */
export function bodyLines(body: string): string[] {
  return splitLines(body).map(({ text }) => text)
}

/** The line end that most lines have. */
function usualEnd(lines: readonly TextLine[]): '\n' | '\r\n' {
  const pairs = lines.filter(({ end }) => end === '\r\n').length
  return pairs > lines.length / 2 ? '\r\n' : '\n'
}

/** Takes `count` lines out at `from` and puts others in, with the ends that the text has; a missing final one stays missing. */
export function spliceLines(
  lines: readonly TextLine[],
  from: number,
  count: number,
  texts: readonly string[],
): TextLine[] {
  const end = usualEnd(lines)
  const before = lines.slice(0, from).map((line) => (line.end === '' ? { ...line, end } : line))
  const after = lines.slice(from + count)
  const result = [...before, ...texts.map((text) => ({ text, end })), ...after]
  const endsOpen = lines.at(-1)?.end === ''
  const last = result.at(-1)
  if (endsOpen && last !== undefined) result[result.length - 1] = { ...last, end: '' }
  return result
}
