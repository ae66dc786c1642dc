/** What a column holds. Numbers are exact: an integer that a double cannot hold is a bigint, on both ways. */
export type ColumnValue = string | number | bigint | null | Uint8Array

/** A value for the driver, which checks nothing itself: it ends the process over a boolean. */
export function bound(value: ColumnValue): ColumnValue {
  if (typeof value === 'string') return boundText(value)
  if (typeof value === 'number') return boundNumber(value)
  if (value === null || typeof value === 'bigint' || value instanceof Uint8Array) return value
  throw new TypeError(`Not a value for a column: ${typeof value}`)
}

/** SQLite ends a text at a NUL, and half a character becomes another one: what may hold them is stored as bytes. */
function boundText(text: string): string {
  if (text.includes('\0')) throw new TypeError('NUL in a text')
  if (!text.isWellFormed()) throw new TypeError('Half a character in a text')
  return text
}

/** The driver would make a real of every number. */
function boundNumber(number: number): ColumnValue {
  if (Number.isSafeInteger(number)) return BigInt(number)
  if (Number.isInteger(number) || !Number.isFinite(number)) throw new TypeError(`Not an exact number: ${number}`)
  return number
}

/**
 * A column as it is asked for. The driver ends the process over a text that is not UTF-8, and cuts one at a NUL: only
 * plain ASCII travels as text, everything else as bytes behind a letter for what they are.
 */
export function cell(column: string): string {
  const isPlain = `${column} NOT GLOB '*[^ -~]*' AND length(${column}) = octet_length(${column})`
  return `CASE typeof(${column})
    WHEN 'text' THEN CASE WHEN ${isPlain} THEN ${column} ELSE CAST('t' || ${column} AS BLOB) END
    WHEN 'blob' THEN CAST('b' || ${column} AS BLOB)
    ELSE ${column} END`
}

/** What the driver gave for a `cell`. Text that is not UTF-8 has replacement characters. */
export function cellValue(given: unknown): ColumnValue {
  if (given === null || typeof given === 'string' || typeof given === 'number') return given
  if (typeof given === 'bigint') return Number.isSafeInteger(Number(given)) ? Number(given) : given
  if (given instanceof Buffer) return given[0] === TEXT_LETTER ? given.toString('utf8', 1) : given.subarray(1)
  throw new TypeError(`The driver gave a ${typeof given}`)
}

const TEXT_LETTER = 't'.charCodeAt(0)
