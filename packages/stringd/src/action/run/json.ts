import { type Json, LIMITS } from '@string-os/protocol'

const LONG_NUMBER = /("[^"\\]*(?:\\.[^"\\]*)*")|(-?\d{16,})(?![\d.eE])/g

/** A JSON object or list; undefined for everything else, and for what is nested too deep to be handled. */
export function parseAnswerJson(text: string): Json | undefined {
  if (!isList(text)) return undefined
  const { depth, values } = shapeOf(text)
  if (depth > LIMITS.jsonDepth || values > LIMITS.jsonValues) return undefined
  try {
    return JSON.parse(/\d{16}/.test(text) ? withLongNumbers(text) : text) as Json
  } catch {
    // It is some other text.
    return undefined
  }
}

/** Whether a text looks like JSON, and holds more values than are read. */
export function isTooWide(text: string): boolean {
  return text.length > LIMITS.jsonValues && isList(text) && shapeOf(text).values > LIMITS.jsonValues
}

function isList(text: string): boolean {
  return /^\s*[[{]/.test(text)
}

/** Whether it is JSON at all, also a single value. */
export function isJson(text: string): boolean {
  return refusalOf(text) === null
}

/** Where a text that begins as JSON stops being some, counted from 1; null where it is not looked for. */
export function jsonFaultAt(text: string): { readonly line: number; readonly column: number } | null {
  if (!isList(text) || text.length > LIMITS.actionOutputChars) return null
  const refusal = refusalOf(text)
  if (refusal === null) return null
  const before = text.slice(0, offsetOf(refusal, text)).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

const UNEXPECTED = /^Unexpected token/

/** Only some refusals say where; of the others it is found by taking away as much of the end as there may be. */
function offsetOf(refusal: string, text: string): number {
  if (!UNEXPECTED.test(refusal)) return Number(/at position (\d+)/.exec(refusal)?.[1] ?? text.length)
  let [readable, refused] = [0, text.length]
  while (refused - readable > 1) {
    const middle = (readable + refused) >> 1
    if (UNEXPECTED.test(refusalOf(text.slice(0, middle)) ?? '')) refused = middle
    else readable = middle
  }
  return readable
}

function refusalOf(text: string): string | null {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** JSON as a person reads it; other text, and what is too large to be read by anyone, as it is. */
export function prettyJson(text: string): string {
  if (text.length > LIMITS.actionOutputChars || shapeOf(text).depth > LIMITS.prettyJsonDepth) return text
  // Parsed as it is: a number that changes on the way is better shown as it came.
  const value = /\d{16}/.test(text) ? undefined : parseAnswerJson(text)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}

/** A number that is too long to be kept exactly becomes text: it is an id, and must arrive as it came. */
function withLongNumbers(text: string): string {
  return text.replace(LONG_NUMBER, (whole, string: string | undefined, digits: string | undefined) =>
    string === undefined && !Number.isSafeInteger(Number(digits)) ? `"${digits}"` : whole,
  )
}

/** Counted before it is parsed: a value costs far more than its characters. */
function shapeOf(text: string): { depth: number; values: number } {
  let values = 0
  let depth = 0
  let deepest = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 0x5c) at += 1
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x2c) values += 1
    else if (code === 0x5b || code === 0x7b) {
      depth += 1
      values += 1
      if (depth > deepest) deepest = depth
    } else if (code === 0x5d || code === 0x7d) depth -= 1
  }
  return { depth: deepest, values }
}
