import { LIMITS } from './limits.ts'

/**
 * What nobody can see, or what changes how its neighbours are seen: every format character of Unicode (zero-width, bidi,
 * tags, soft hyphen), separators of lines, blanks that are not blank, fillers, and selectors of variants that no emoji has.
 */
const HIDDEN =
  '\\p{Cf}\\p{Zl}\\p{Zp}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180d\\u180f\\u2065\\u2800\\u3164\\ufe00-\\ufe0e\\uffa0\\ufff0-\\ufff8\\u{e0000}-\\u{e0fff}'
/** But not the joiner within an emoji (👩‍🚀), which makes one picture of two. */
const NOT_JOINING =
  '(?<!\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?\\u200d(?=\\p{Extended_Pictographic}))'
const UNSEEN = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${HIDDEN}]${NOT_JOINING}`, 'gu')
const UNSEEN_IN_LINE = new RegExp(`[\\u0000-\\u001f\\u007f-\\u009f${HIDDEN}]${NOT_JOINING}`, 'gu')
const HIDDEN_IN_TEXT = new RegExp(
  `[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f${HIDDEN}]${NOT_JOINING}`,
  'gu',
)

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a colour begins with
const COLOUR = /\u001b\[[\d;:]*m/g

const HAS_UNSEEN_IN_LINE = new RegExp(UNSEEN_IN_LINE.source, 'u')

/** How many characters of a text nobody can see, and where the first is; lines count from 1, and their ends are none. */
export function unseenIn(text: string): { readonly count: number; readonly line: number } | null {
  let count = 0
  let first = 0
  for (const { index } of text.matchAll(HIDDEN_IN_TEXT)) {
    // A byte-order mark belongs to the file.
    if (index === 0 && text.charCodeAt(0) === 0xfeff) continue
    if (count === 0) first = index
    count += 1
  }
  return count === 0 ? null : { count, line: text.slice(0, first).split('\n').length }
}

/** Makes control characters and all that is not seen visible (`\x1b`, `\u202e`, `\u{e0041}`); tabs and line feeds stay. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, escapeCharacter)
}

/** The same for words of another program: their colours are left out. */
export function uncoloured(text: string): string {
  return visibleText(withoutStyles(text))
}

/** A text without what says how it is printed: colours, bold, underlined. */
export function withoutStyles(text: string): string {
  return text.includes('\u001b') ? text.replace(COLOUR, '') : text
}

/** The same for text that must stay on one line: tab and line feed are written out too. */
export function visibleLine(text: string): string {
  // Nearly always there is nothing to do, and looking is cheaper than replacing.
  return HAS_UNSEEN_IN_LINE.test(text) ? text.replace(UNSEEN_IN_LINE, escapeCharacter) : text
}

/** A caller's own value, made visible and short enough to quote in an error. */
export function quoted(value: string, limitChars: number = LIMITS.shownValueChars): string {
  return visibleLine(truncate(value, limitChars))
}

/** Cuts to at most `limitChars` UTF-16 units and never between the halves of a character. */
export function truncate(text: string, limitChars: number): string {
  if (text.length <= limitChars) return text
  const last = text.charCodeAt(limitChars - 1)
  const end = last >= 0xd800 && last <= 0xdbff ? limitChars - 1 : limitChars
  return `${text.slice(0, end)}…`
}

/** Takes characters from both ends, in time that does not grow with what lies between, as it does for `/ +$/`. */
export function strip(text: string, characters: string): string {
  let start = 0
  let end = text.length
  while (start < end && characters.includes(text.charAt(start))) start += 1
  while (end > start && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** The same at the end alone. */
export function stripEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** Names in a message: enough to go on, and not more. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, LIMITS.hintedNames).join(', ')
  const more = names.length - LIMITS.hintedNames
  return more > 0 ? `${shown}, and ${more} more` : shown
}

/** A number that was counted up to a limit: `7`, `1000+`. */
export function countUpTo(amount: number, limit: number): string {
  return amount < limit ? String(amount) : `${limit}+`
}

/** `1 line`, `2 lines`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}

function escapeCharacter(character: string): string {
  if (character === '\n') return '\\n'
  if (character === '\r') return '\\r'
  if (character === '\t') return '\\t'
  const code = character.codePointAt(0) ?? 0
  if (code > 0xffff) return `\\u{${code.toString(16)}}`
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}
