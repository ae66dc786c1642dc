import { type ScriptPart, textPart } from '../script-part.ts'

/** A word, or a piece of one, as it is written into the script that runs. */
export interface Text {
  readonly parts: readonly ScriptPart[]
  /** What it says, where that is known before it runs. */
  readonly value: string | null
  /** The same, with places that belong to the script by their names: `$STRING_PACKAGE/run.sh`. */
  readonly path: string | null
  /** What it may say: the only text that the script gives to a variable in it, and `*` for what is not known. */
  readonly guess: string
  /** What it begins with, whatever follows. */
  readonly start: string
  /** It may hold the value of a field. */
  readonly holds: boolean
  /** It is exactly one word, whatever it holds. */
  readonly isOne: boolean
  readonly isNumber: boolean
}

/** What some commands write, and whether it may hold a value. */
export interface Written {
  readonly parts: readonly ScriptPart[]
  readonly holds: boolean
}

const NUMBER = /^-?\d+$/

export function known(value: string, written = quote(value), isOne = true): Text {
  return {
    parts: [textPart(written)],
    value,
    path: value,
    guess: value,
    start: value,
    holds: false,
    isOne,
    isNumber: NUMBER.test(value),
  }
}

/** What is only known when it runs. */
export function unknown(written: readonly ScriptPart[], holds: boolean, isOne: boolean, isNumber = false): Text {
  return { parts: written, value: null, path: null, guess: '*', start: '', holds, isOne, isNumber }
}

/** One word of several pieces. */
export function join(texts: readonly Text[]): Text {
  const [first] = texts
  if (first !== undefined && texts.length === 1) return first
  const value = joined(texts.map((each) => each.value))
  const open = texts.findIndex((each) => each.value === null)
  const start = texts.slice(0, open === -1 ? undefined : open + 1).map((each) => each.start)
  return {
    parts: texts.flatMap(({ parts }) => parts),
    value,
    path: joined(texts.map((each) => each.path)),
    guess: texts.map((each) => each.guess).join(''),
    start: start.join(''),
    holds: texts.some(({ holds }) => holds),
    isOne: texts.every(({ isOne }) => isOne),
    isNumber: value !== null && NUMBER.test(value),
  }
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function joined(pieces: readonly (string | null)[]): string | null {
  return pieces.includes(null) ? null : pieces.join('')
}
