/** One edit of a file at a time, whichever topic it comes from. */
export class FileLocks {
  readonly #last = new Map<string, Promise<unknown>>()

  #closed = false

  /** Runs `work` when everyone before it is done with this file. */
  async with<T>(path: string, work: () => Promise<T>): Promise<T> {
    // Whoever asked has been answered already, so nobody waits for this.
    if (this.#closed) return new Promise(() => undefined)
    const before = this.#last.get(path) ?? Promise.resolve()
    const mine = before.then(work, work)
    this.#last.set(path, mine)
    try {
      return await mine
    } finally {
      if (this.#last.get(path) === mine) this.#last.delete(path)
    }
  }
  /** Lets the edits that have begun finish; none begins any more. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#last.values())
  }
}
