import { rewriteLines } from '../../document/rewrite.ts'
import { spliceLines, type TextLine } from '../../document/text-lines.ts'
import type { Source } from '../../editing/editor.ts'

/** Puts a body's lines in place of what the target means. */
export function put({ lines, from, count }: Source, texts: readonly string[]): TextLine[] {
  const isWhole = from === 0 && count === lines.length
  return isWhole ? rewriteLines(lines, texts) : spliceLines(lines, from, count, texts)
}
