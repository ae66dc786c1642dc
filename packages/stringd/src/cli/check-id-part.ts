import { tooShortAnId } from '@string-os/protocol'
import { usageError } from './exit.ts'
import { inOwnName } from './program-name.ts'

/** Less of an id than names anything is wrong usage: `list` is the verb that shows ids. */
export function checkIdPart(written: string, list: string): void {
  const tooShort = tooShortAnId(written)
  if (tooShort !== null) throw usageError(inOwnName(`${tooShort}; ${list} shows it`))
}
