import { StoreAway } from '../store.ts'
import { LinkBroken, type ServerLink } from './link.ts'
import { codeOf } from './reason.ts'

/** What is wrong with a statement or its values is our fault, or the caller's; everything else is the store's. */
const OUR_FAULT = /^(21|22|23|26|34|42|44|54)/
const NOT_OUR_FAULT = ['42501', '42P01']

/** What a caller hears of a statement that failed; `isDoubtful` when it may have been stored all the same. */
export function failureOf(error: unknown, link: ServerLink, isDoubtful: boolean): Error {
  if (error instanceof LinkBroken) return new StoreAway(error.message, isDoubtful)
  const code = codeOf(error)
  const isOurs = OUR_FAULT.test(code) && !NOT_OUR_FAULT.includes(code)
  return isOurs && error instanceof Error ? error : new StoreAway(link.shown(error))
}
