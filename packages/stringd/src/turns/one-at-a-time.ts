/** Work under the same key is done one after the other, in the order in which it came. */
export class OneAtATime {
  readonly #last = new Map<string, Promise<void>>()

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(key) ?? Promise.resolve()).then(work)
    const forget = (): void => {
      if (this.#last.get(key) === over) this.#last.delete(key)
    }
    const over: Promise<void> = done.then(forget, forget)
    this.#last.set(key, over)
    return done
  }
}
