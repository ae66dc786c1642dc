import { type Failure, fail, LIMITS } from '@string-os/protocol'
import { hasMoreLines, tooManyLines } from '../../document/text-lines.ts'

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
