import { isUtf8 } from 'node:buffer'

/** Text, or null when the bytes are none. A byte-order mark is dropped on the way. */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Not UTF-8.
    return null
  }
}

/** What bytes that are no UTF-8 seem to be, and the first that shows it: an offset in all, and a line from 1 on. */
export interface OtherEncoding {
  /** As `iconv` calls it. */
  readonly name: 'latin1' | 'utf-16'
  readonly offset: number
  readonly line: number
}

/** In text of this kind, letters beyond ASCII are few; a beginning tells. */
const LOOKED_AT = 64 * 1024
const MOST_BEYOND = 0.3

/** Null for what looks like no text in any encoding that is known here. */
export function otherEncoding(bytes: Uint8Array): OtherEncoding | null {
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)
  if (bytes.length > 2 && bytes.length % 2 === 0 && (mark === 0xfffe || mark === 0xfeff))
    return { name: 'utf-16', offset: 0, line: 1 }
  const begin = bytes.subarray(0, LOOKED_AT)
  const beyond = begin.reduce((sum, byte) => sum + (byte >= 0x80 ? 1 : 0), 0)
  if (beyond > MOST_BEYOND * begin.length || bytes.includes(0) || begin.some(isControl)) return null
  const first = firstOther(bytes)
  return first === null ? null : { name: 'latin1', ...first }
}

/** One that no text holds: all but those from the bell to the carriage return, and escape. */
function isControl(byte: number): boolean {
  return byte < 32 && (byte < 7 || byte > 13) && byte !== 27
}

export function whereNot({ offset, line }: OtherEncoding): string {
  return `: the first byte that is not stands at offset ${offset}, in line ${line}`
}

/** No character of UTF-8 holds a line end in it, so lines can be looked at one by one. */
function firstOther(bytes: Uint8Array): { readonly offset: number; readonly line: number } | null {
  for (let [start, line] = [0, 1]; start < bytes.length; line += 1) {
    const newline = bytes.indexOf(10, start)
    const end = newline === -1 ? bytes.length : newline
    const text = bytes.subarray(start, end)
    if (!isUtf8(text)) return { offset: start + goodBytes(text), line }
    start = end + 1
  }
  return null
}

/** How many bytes come before the first that is no UTF-8. */
function goodBytes(bytes: Uint8Array): number {
  let [good, bad] = [0, bytes.length]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (begun(bytes.subarray(0, middle)) === null) bad = middle
    else good = middle
  }
  return Buffer.byteLength(begun(bytes.subarray(0, good)) ?? '')
}

/** The whole characters of bytes that may be cut off inside of one; null where they are no UTF-8. */
function begun(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true })
  } catch {
    // Not UTF-8.
    return null
  }
}
