import { parseJson } from '@string-os/protocol'
import type { ColumnValue } from './value.ts'

/** Text that may hold anything, as it is stored. */
export function bytesOf(text: string): Uint8Array {
  return Buffer.from(text)
}

export function storedText(value: ColumnValue | undefined): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : ''
}

export function textOrNull(value: ColumnValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}

/** What was stored as JSON by us, with a checksum: nobody else wrote it. */
export function storedJson<T>(value: ColumnValue | undefined, fallback: T): T {
  const found = value instanceof Uint8Array ? parseJson(storedText(value)) : undefined
  return found === undefined ? fallback : (found as T)
}
