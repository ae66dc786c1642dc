import { apartAbove, EventIds } from './event-id.ts'

/** Ids that go on above those of other daemons, whatever the clock here says. */
export class RisingIds {
  readonly #now: () => number
  readonly #prefix: string
  #ids: EventIds

  constructor(now: () => number, prefix = 'evt_') {
    this.#now = now
    this.#prefix = prefix
    this.#ids = new EventIds(null, now, prefix)
  }

  next(): string {
    return this.#ids.next()
  }

  /** Others may be told the same: of two that go on above one id, each has ids of its own. */
  above(id: string): void {
    if (id > this.#ids.last) this.#ids = new EventIds(apartAbove(id), this.#now, this.#prefix)
  }
}
