import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LAST_OF_ALPHABET = 'z'
const EVENT_ID = /^evt_[0-9a-hjkmnp-tv-z]{26}$/

/** Sorts before every other. */
export const FIRST_EVENT_ID = `evt_${'0'.repeat(26)}`

export function isEventId(text: string): boolean {
  return EVENT_ID.test(text)
}

/**
 * Ids that sort in the order in which they were made: ten characters of time, sixteen of chance. When the clock stands
 * still or goes back, the next id is the last one plus one.
 */
export class EventIds {
  #last: string
  readonly #now: () => number
  readonly #prefix: string

  /** `last` is the greatest id that exists. */
  constructor(last: string | null, now: () => number = Date.now, prefix = 'evt_') {
    this.#last = last ?? ''
    this.#now = now
    this.#prefix = prefix
  }

  get last(): string {
    return this.#last
  }

  next(): string {
    const time = `${this.#prefix}${encodeTime(this.#now())}`
    this.#last = time > this.#last.slice(0, time.length) ? time + chance() : successor(this.#last)
    return this.#last
  }
}

/** Sorts before all ids that are made from then on. */
export function firstIdAt(ms: number, prefix: string): string {
  return prefix + encodeTime(ms)
}

/** Characters of chance behind an id above which several begin. */
const APART = 12

/** An id above this one, and none that another who asks for the same gets too. */
export function apartAbove(id: string): string {
  return successor(id.slice(0, -APART)) + chance().slice(-APART)
}

function encodeTime(ms: number): string {
  let text = ''
  for (let rest = Math.max(0, Math.trunc(ms)), index = 0; index < 10; index += 1) {
    text = `${ALPHABET[rest % 32] ?? '0'}${text}`
    rest = Math.floor(rest / 32)
  }
  return text
}

/** Starts in the lower half, so that counting up has room. */
function chance(): string {
  const [first = 0, ...others] = randomBytes(16)
  return [first % 16, ...others].map((byte) => ALPHABET[byte % 32] ?? '0').join('')
}

function successor(id: string): string {
  let at = id.length - 1
  while (at > 4 && id[at] === LAST_OF_ALPHABET) at -= 1
  const next = ALPHABET[(ALPHABET.indexOf(id[at] ?? '0') + 1) % 32] ?? '0'
  return id.slice(0, at) + next + '0'.repeat(id.length - at - 1)
}
