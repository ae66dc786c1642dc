import { type Failure, fail, LIMITS } from '@string-os/protocol'
import { keepEnds } from '../../document/text/rewrite.ts'
import { bodyLines, hasMoreLines, spliceLines, tooManyLines } from '../../document/text/text-lines.ts'
import type { MakeText } from '../../editing/editor.ts'

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

/** Puts a body's lines in place of what the target means. Of very many, others get their turn between the steps. */
export function putBody(body: string): MakeText {
  return async ({ lines, from, count }, pause) => {
    const texts = bodyLines(body)
    await pause()
    const spliced = spliceLines(lines, from, count, texts)
    await pause()
    const isWhole = from === 0 && count === lines.length
    return {
      ok: true,
      lines: isWhole ? keepEnds(lines, spliced) : spliced,
      put: texts.length,
    }
  }
}
