import { type ReadonlySignal, signal } from '@preact/signals'

/** The time, second by second, for all that shows how long something goes on: all of it is drawn in one frame. */
export class Clock {
  readonly #now = signal(Date.now())

  constructor() {
    setInterval(() => {
      // What nobody sees need not be drawn; a tab that comes to sight is right within a second.
      if (document.visibilityState === 'visible') this.#now.value = Date.now()
    }, 1_000)
  }

  get now(): ReadonlySignal<number> {
    return this.#now
  }
}
