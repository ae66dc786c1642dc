import { type Failure, fail, LIMITS } from '@string-os/protocol'
import { rewriteLines } from '../../document/text/rewrite.ts'
import { hasMoreLines, spliceLines, type TextLine, tooManyLines } from '../../document/text/text-lines.ts'
import type { Source } from '../../editing/editor.ts'

/** What every editing command takes. */
export const FORCE = { type: 'boolean', summary: 'even if someone else changed the file meanwhile' } as const

/** A body that can be written as text, or why it cannot. */
export function refuseBody(body: string): Failure | null {
  if (body.includes('\0'))
    return fail(
      'NOT_TEXT',
      'The body holds a NUL character, so it is not text',
      "/exec can write any bytes: /exec printf 'a\\0b' > FILE",
    )
  if (hasMoreLines(body, LIMITS.editedLines)) return tooManyLines('The body has')
  return body.isWellFormed()
    ? null
    : fail('NOT_TEXT', 'The body holds half a character, so it is not text', 'Send whole characters, as UTF-8')
}

/** Puts a body's lines in place of what the target means. */
export function putLines({ lines, from, count }: Source, texts: readonly string[]): TextLine[] {
  const isWhole = from === 0 && count === lines.length
  return isWhole ? rewriteLines(lines, texts) : spliceLines(lines, from, count, texts)
}
