export interface Job<T> {
  /** What it works on: jobs that share a key run one after the other, as they were given. */
  readonly keys: readonly string[]
  readonly run: () => Promise<T>
}

/** Runs all jobs, at most `width` at once, and answers their values in the order of the jobs. */
export function runInOrder<T>(jobs: readonly Job<T>[], width: number): Promise<T[]> {
  const gate = new Gate(width)
  const last = new Map<string, Promise<unknown>>()
  const all = jobs.map(({ keys, run }) => {
    const earlier = Promise.all(keys.flatMap((key) => last.get(key) ?? []))
    const done = earlier.then(() => gate.pass(run))
    for (const key of keys) last.set(key, done)
    return done
  })
  return Promise.all(all)
}

/** Lets so many through at once; the others wait in the order they came. */
class Gate {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(width: number) {
    this.#free = width
  }

  async pass<T>(run: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await run()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
