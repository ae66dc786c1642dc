import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { distDir } from '../dist-dir.ts'
import { closeTables, lookAsync, type Tables } from './look.ts'
import type { WorkerLooked } from './look-worker.ts'
import type { Owner, Peer } from './socket-table.ts'

export interface Looked {
  readonly owners: readonly Owner[]
  /** What looking has cost since the last time. */
  readonly spentMs: number
}

/** Finds out whose peers are, one look at a time. */
export interface Looker {
  look(peers: readonly Peer[]): Promise<Looked>
  end(): void
}

/**
 * Looks in a thread of its own, which is started when a second look follows soon. Until it is there, and whenever it is not,
 * the pool reads: slower for this thread, but nobody waits for another to start.
 */
export function createLooker(tables: Tables): Looker {
  const thread = new LookThread(tables)
  let isOver = false
  return {
    async look(peers) {
      if (isOver) return { owners: [], spentMs: 0 }
      const looked = await thread.look(peers)
      if (looked !== null) return looked
      const began = performance.now()
      const owners = await lookAsync(tables, peers)
      return { owners, spentMs: performance.now() - began }
    },
    end() {
      isOver = true
      thread.end()
      closeTables(tables)
    },
  }
}

/** Looks that follow each other sooner than this are worth a thread. */
const SOON_MS = 1_000

class LookThread {
  readonly #tables: Tables
  #worker: Worker | null = null
  #isOnline = false
  #lastMs = Number.NEGATIVE_INFINITY
  #answer: (looked: WorkerLooked | null) => void = () => undefined

  constructor(tables: Tables) {
    this.#tables = tables
  }

  /** Null when there is no thread that could look. */
  look(peers: readonly Peer[]): Promise<WorkerLooked | null> {
    const isSoon = performance.now() - this.#lastMs < SOON_MS
    this.#lastMs = performance.now()
    if (this.#worker === null && isSoon) this.#start()
    const worker = this.#isOnline ? this.#worker : null
    return new Promise((resolve) => {
      if (worker === null) return resolve(null)
      this.#answer = resolve
      worker.postMessage(peers)
    })
  }

  end(): void {
    const worker = this.#worker
    this.#lose()
    void worker?.terminate()
  }

  #start(): void {
    try {
      const worker = new Worker(join(distDir(), 'look-worker.cjs'), { workerData: this.#tables })
      this.#worker = worker
      worker.unref()
      worker.on('online', () => {
        this.#isOnline = true
      })
      worker.on('message', (looked: WorkerLooked) => this.#answer(looked))
      // Memory or threads ran out: whoever waits is looked for by the pool.
      worker.on('error', () => this.#lose())
      worker.on('exit', () => this.#lose())
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error
    }
  }

  #lose(): void {
    this.#worker = null
    this.#isOnline = false
    this.#answer(null)
  }
}
