export interface BothEnds {
  readonly head: string
  readonly tail: string
  /** What lies between them. */
  readonly leftBytes: number
}

/** The beginning and the end of a text, `limitBytes` together; between lines, where that leaves most of it. */
export function bothEnds(text: string, limitBytes: number): BothEnds {
  const half = Math.floor(limitBytes / 2)
  const head = firstBytes(text, half)
  const tail = lastBytes(text, half)
  return { head, tail, leftBytes: Buffer.byteLength(text) - Buffer.byteLength(head) - Buffer.byteLength(tail) }
}

/** Both ends of a text with a line between them that tells how much is missing, and `where` it is. */
export function shortened({ head, tail, leftBytes }: BothEnds, where: string): string {
  return `${head}\n… ${leftBytes} bytes left out; ${where} …\n${tail}`
}

/** Room for that line. */
export const NOTE_BYTES = 256

/** The beginning of a text, at most `limitBytes` of UTF-8, without the line end where it was cut. */
export function firstBytes(text: string, limitBytes: number): string {
  const bytes = Buffer.from(text.slice(0, limitBytes + 1))
  return bytes.length <= limitBytes ? text : headOf(bytes, limitBytes).toString()
}

/** The end of a text, in the same way. */
export function lastBytes(text: string, limitBytes: number): string {
  const bytes = Buffer.from(text.slice(-limitBytes - 1))
  return bytes.length <= limitBytes ? text : tailOf(bytes, limitBytes).toString()
}

/** The same of text that is still bytes. */
export function headOf(bytes: Buffer, limitBytes: number): Buffer {
  if (bytes.length <= limitBytes) return bytes
  let end = limitBytes
  while (end > 0 && isInside(bytes[end])) end -= 1
  const line = bytes.lastIndexOf(10, end)
  return bytes.subarray(0, line > end / 2 ? line : end)
}

export function tailOf(bytes: Buffer, limitBytes: number): Buffer {
  if (bytes.length <= limitBytes) return bytes
  let start = bytes.length - limitBytes
  while (start < bytes.length && isInside(bytes[start])) start += 1
  const line = bytes.indexOf(10, start - 1) + 1
  return bytes.subarray(line > 0 && line < (start + bytes.length) / 2 ? line : start)
}

/** A byte that continues a character. */
function isInside(byte = 0): boolean {
  return (byte & 0xc0) === 0x80
}
