import { LIMITS } from '@string-os/protocol'
import type { Appended, NewEvent } from '../groups/events.ts'
import { StoreAway } from '../store.ts'
import type { Placed } from './append.ts'
import { isWrongData } from './reason.ts'

interface Waiting {
  readonly event: NewEvent
  readonly bytes: number
  readonly done: (appended: Appended) => void
  readonly failed: (error: unknown) => void
  isSent: boolean
}

interface LaneParts {
  /** Null where another daemon was faster with a greater id. */
  readonly append: (events: readonly NewEvent[]) => Promise<(Placed | null)[]>
  /** Takes longer, and always succeeds. */
  readonly appendLocked: (events: readonly NewEvent[]) => Promise<Placed[]>
  /** Told before those who wait for it. */
  readonly onPlaced: (placed: readonly Placed[]) => void
}

/** One statement is under way at a time, and all that comes meanwhile goes into the next one. */
export class AppendLane {
  readonly #parts: LaneParts
  readonly #waiting = new Set<Waiting>()
  #work: Promise<void> | null = null

  constructor(parts: LaneParts) {
    this.#parts = parts
  }

  append(event: NewEvent): Promise<Appended> {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        this.#waiting.delete(waiting)
        const reason = `the database did not store it within ${LIMITS.storeAnswerMs / 1000} s`
        waiting.failed(new StoreAway(reason, waiting.isSent))
      }, LIMITS.storeAnswerMs)
      const waiting: Waiting = {
        event,
        bytes: Buffer.byteLength(event.text),
        done: (appended) => {
          clearTimeout(limit)
          resolve(appended)
        },
        failed: (error) => {
          clearTimeout(limit)
          reject(error)
        },
        isSent: false,
      }
      this.#waiting.add(waiting)
      this.#work ??= this.#run()
    })
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    await this.#work
  }

  async #run(): Promise<void> {
    // What comes in the same turn of the event loop goes along.
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    try {
      while (this.#waiting.size > 0) await this.#send(this.#next())
    } finally {
      // In the same step as the look at who waits: whoever came behind that look would wait for nobody.
      this.#work = null
    }
  }

  #next(): Waiting[] {
    const batch: Waiting[] = []
    let bytes = 0
    for (const waiting of this.#waiting) {
      bytes += waiting.bytes
      const isFull = batch.length >= LIMITS.storeAppendsAtOnce || bytes > LIMITS.storeAppendBytes
      if (isFull && batch.length > 0) break
      batch.push(waiting)
      this.#waiting.delete(waiting)
    }
    return batch
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    for (const waiting of batch) waiting.isSent = true
    try {
      const placed = await this.#parts.append(batch.map(({ event }) => event))
      this.#settle(batch, placed)
      const late = batch.filter((_, index) => placed[index] === null)
      if (late.length > 0) this.#settle(late, await this.#parts.appendLocked(late.map(({ event }) => event)))
    } catch (error) {
      // One of them is wrong: it alone shall fail.
      if (batch.length > 1 && isWrongData(error)) for (const waiting of batch) await this.#send([waiting])
      else for (const { failed } of batch) failed(error)
    }
  }

  #settle(batch: readonly Waiting[], placed: readonly (Placed | null)[]): void {
    this.#parts.onPlaced(placed.filter((each) => each !== null))
    for (const [index, { done }] of batch.entries()) {
      const appended = placed[index]?.appended
      if (appended !== undefined) done(appended)
    }
  }
}
