import type { WatchCaller } from '../runtime/exec-call.ts'

/** Whoever wrote a text, watched once for all of its blocks. */
export class Caller {
  readonly #listeners = new Set<() => void>()
  readonly #unwatch: (() => void) | undefined
  #gone = false

  constructor(watchCaller: WatchCaller | undefined) {
    this.#unwatch = watchCaller?.(() => this.#leave())
  }

  get gone(): boolean {
    return this.#gone
  }

  readonly watch: WatchCaller = (gone) => {
    this.#listeners.add(gone)
    return () => this.#listeners.delete(gone)
  }

  stopWatching(): void {
    this.#unwatch?.()
  }

  #leave(): void {
    this.#gone = true
    for (const listener of this.#listeners) listener()
  }
}
