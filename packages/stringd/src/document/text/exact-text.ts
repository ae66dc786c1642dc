import { type Failure, fail, LIMITS } from '@string-os/protocol'
import type { TextLine } from './text-lines.ts'

export interface Replacement {
  readonly ok: true
  readonly old: string
  /** Null for nothing at all: where the old text is whole lines, they go. */
  readonly new: string | null
}

const DEFAULT_SEPARATOR = '---'

/** `old`, a line that separates, `new`. */
export function parseReplacement(body: string, separator: string | undefined): Replacement | Failure {
  const line = separator ?? DEFAULT_SEPARATOR
  const lines = body.replace(/\r?\n$/, '').split(/\r?\n/)
  const at = lines.indexOf(line)
  if (at === -1)
    return fail(
      'USAGE',
      `The body needs a line ${line} between the old text and the new`,
      'First the old text, then that line, then the new text',
    )
  if (lines.indexOf(line, at + 1) !== -1) {
    return fail(
      'USAGE',
      `The line ${line} stands more than once in the body`,
      '--sep LINE chooses another line to separate old from new, for example --sep ====',
    )
  }
  const old = lines.slice(0, at).join('\n')
  if (old === '')
    return fail(
      'USAGE',
      `There is no text before the line ${line}`,
      'First the old text, then that line, then the new text; /append adds at the end',
    )
  return { ok: true, old, new: at === lines.length - 1 ? null : lines.slice(at + 1).join('\n') }
}

/** Lines to be exchanged for others: what a replacement of text comes down to. */
export interface LineChange {
  readonly kind: 'lines'
  readonly from: number
  readonly count: number
  readonly texts: readonly string[]
}

/** Where the text stands, as that is nowhere, or more often than was asked for. */
interface FoundPlaces {
  readonly kind: 'places'
  readonly places: readonly number[]
}

/** Finds the text, which may be a part of a line or go over several, whatever ends the lines have. */
export function findExact(
  lines: readonly TextLine[],
  { old, new: next }: Replacement,
  all: boolean,
): LineChange | FoundPlaces | { readonly kind: 'too-many' } | { readonly kind: 'too-large' } {
  const text = lines.map((line) => line.text).join('\n')
  const places: number[] = []
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + old.length)) {
    if (places.length >= LIMITS.replacedPlaces) return { kind: 'too-many' }
    places.push(at)
  }
  const [first] = places
  if (first === undefined || (places.length > 1 && !all)) return { kind: 'places', places: lineNumbers(text, places) }
  const last = (places.at(-1) ?? first) + old.length
  const start = text.lastIndexOf('\n', first - 1) + 1
  const lineEnd = text.indexOf('\n', last)
  const end = lineEnd === -1 ? text.length : lineEnd
  if (text.length + places.length * ((next?.length ?? 0) - old.length) > LIMITS.documentBytes)
    return { kind: 'too-large' }
  const [from = 1] = lineNumbers(text, [first])
  const region = text.slice(start, end)
  const count = region.split('\n').length
  const texts = next === null ? without(region, old) : region.split(old).join(next).split('\n')
  return { kind: 'lines', from: from - 1, count, texts }
}

/** The lines that are left when a text is taken out: one that was nothing but that text goes with it. */
function without(region: string, old: string): string[] {
  const lines: string[] = []
  let line = ''
  let isTouched = false
  const endLine = (): void => {
    if (!isTouched || line !== '') lines.push(line)
    isTouched = false
  }
  for (const [index, piece] of region.split(old).entries()) {
    isTouched ||= index > 0
    const [first = '', ...others] = piece.split('\n')
    line += first
    for (const other of others) {
      endLine()
      line = other
    }
  }
  endLine()
  return lines
}

function lineNumbers(text: string, ascending: readonly number[]): number[] {
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
