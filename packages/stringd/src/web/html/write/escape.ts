/** Stands for a line break until it is known how the place around it writes one. No page text holds it. */
export const BREAK = '\u0001'

/** One space for each run of white space. */
export function collapsed(text: string): string {
  return text.replace(/[ \t\r\n\f]+/g, ' ')
}

const SPECIAL = /[\\*`[\]_]|~(?=~)|(?<=~)~|<(?=[a-z/!?𝒞])|&(?=#?\w{1,32};)/giu

/** Escapes what means something to Markdown wherever it stands. */
export function escapeInline(text: string): string {
  return text.replace(SPECIAL, (mark, at: number) => (mark === '_' && isInWord(text, at) ? mark : `\\${mark}`))
}

/** Escapes what means something to Markdown at the start of a line only. */
export function escapeLineStart(line: string): string {
  return line
    .replace(/^(?=(#{1,6}|[-+:])(\s|$)|>|={2,}\s*$|-{2,}\s*$|~~~)/, '\\')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
}

/** A code span, or nothing for nothing. */
export function codeSpan(text: string): string {
  const code = text.replace(/\s+/g, ' ')
  if (code.trim() === '') return ''
  const fence = '`'.repeat(longestRun(code) + 1)
  const pad = /^`|`$|^ .* $/.test(code) ? ' ' : ''
  return fence + pad + code + pad + fence
}

/** The length of the longest run of backticks. */
export function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
}

function isInWord(text: string, at: number): boolean {
  return /\w/.test(text[at - 1] ?? '') && /\w/.test(text[at + 1] ?? '')
}
