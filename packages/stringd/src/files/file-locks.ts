/** One edit of a file at a time, whichever topic it comes from. */
export class FileLocks {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs `work` when everyone before it is done with this file. */
  async with<T>(path: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(path) ?? Promise.resolve()
    const mine = before.then(work, work)
    this.#last.set(path, mine)
    try {
      return await mine
    } finally {
      if (this.#last.get(path) === mine) this.#last.delete(path)
    }
  }
}
