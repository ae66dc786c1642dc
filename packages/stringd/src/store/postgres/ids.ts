import { EventIds } from '../event-id.ts'

/** Ids that go on above those of other daemons, whatever the clock here says. */
export class RisingIds {
  readonly #now: () => number
  #ids: EventIds

  constructor(now: () => number) {
    this.#now = now
    this.#ids = new EventIds(null, now)
  }

  next(): string {
    return this.#ids.next()
  }

  above(id: string): void {
    if (id > this.#ids.last) this.#ids = new EventIds(id, this.#now)
  }
}
