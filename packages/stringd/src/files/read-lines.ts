import { closeSync, readSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { count, type Failure, fail, LIMITS } from '@string-os/protocol'
import { fileIn, notText, openPlace } from './files.ts'
import { decodeText } from './text.ts'
import type { Place } from './workspace.ts'

/** Lines counted from 1, both ends included; `last` may be behind the end of the file, `to` may not. */
export interface WantedLines {
  readonly from: number
  readonly to: number
  readonly last: number
}

interface FoundLines {
  readonly ok: true
  /** As many as a page has room for. */
  readonly texts: readonly string[]
}

const STEP = 256 * 1024

/** Lines of a file of any size. Nothing is kept but these, and what is behind them is not read. */
export async function readLines(place: Place, typed: string, wanted: WantedLines): Promise<FoundLines | Failure> {
  if (wanted.from > wanted.to) return noSuchLines(typed, wanted, null)
  const opened = openPlace(place, typed)
  if (!opened.ok) return opened
  try {
    const found = await scan(opened.fd, wanted)
    if (found.kind === 'far') return tooFar(typed, wanted)
    if (found.kind === 'short') return noSuchLines(typed, wanted, found.lines)
    const text = decodeText(found.bytes)
    if (text === null) return notText(typed, found.bytes)
    return { ok: true, texts: text.replace(/\r?\n$/, '').split(/\r?\n/) }
  } finally {
    closeSync(opened.fd)
  }
}

/** Says what is wrong with lines that were asked for; null: how many there are was not counted. */
export function noSuchLines(
  typed: string,
  { from, to }: Pick<WantedLines, 'from' | 'to'>,
  lines: number | null,
): Failure {
  const path = fileIn(typed)
  const hint =
    lines === 0
      ? `${path} is empty`
      : lines === null || from > to
        ? `They are written from the first to the last: ${path}:L${to}-L${from}`
        : `The file has ${count(lines, 'line')}, L1 to L${lines}`
  return fail('LINE_OUT_OF_RANGE', `No such lines: ${typed}`, hint)
}

type Scanned =
  | { readonly kind: 'found'; readonly bytes: Buffer }
  | { readonly kind: 'short'; readonly lines: number }
  | { readonly kind: 'far' }

async function scan(fd: number, { from, to, last }: WantedLines): Promise<Scanned> {
  const buffer = Buffer.alloc(STEP)
  const kept: Buffer[] = []
  let [line, room, isOpen] = [1, 2 * LIMITS.pageBytes, false]
  for (let at = 0; at < LIMITS.scannedBytes; ) {
    const size = readSync(fd, buffer, 0, STEP, at)
    if (size === 0) {
      const lines = isOpen ? line : line - 1
      return lines < to ? { kind: 'short', lines } : { kind: 'found', bytes: Buffer.concat(kept) }
    }
    at += size
    for (let start = 0; start < size && line <= last && room > 0; ) {
      const end = buffer.subarray(0, size).indexOf(10, start)
      const next = end === -1 ? size : end + 1
      if (line >= from) kept.push(Buffer.from(buffer.subarray(start, Math.min(next, start + room))))
      if (line >= from) room -= next - start
      isOpen = end === -1
      line += isOpen ? 0 : 1
      start = next
    }
    if (line > last || room <= 0) return { kind: 'found', bytes: wholeCharacters(Buffer.concat(kept)) }
    // Others get their turn between two steps.
    await nextTurn()
  }
  return { kind: 'far' }
}

/** Without the beginning of a character whose end was cut off. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > bytes.length - 4 && end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1
  const isWhole = ((bytes[bytes.length - 1] ?? 0) & 0x80) === 0 || decodeText(bytes) !== null
  return isWhole ? bytes : bytes.subarray(0, Math.max(0, end - 1))
}

function tooFar(typed: string, { from, to }: WantedLines): Failure {
  const path = fileIn(typed)
  return fail(
    'TOO_LARGE',
    `${typed} lies behind the first ${LIMITS.scannedBytes / 1024 / 1024} MiB, in which lines are counted`,
    `/exec sed -n '${from},${to}p' ${path}`,
  )
}
