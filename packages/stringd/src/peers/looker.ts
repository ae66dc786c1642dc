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
/** After so long without a look it is ended: it holds memory and descriptors. */
const IDLE_MS = 5_000
/** A thread that could not be started costs a descriptor for ever, and there are few of these then. */
const RETRY_MS = 60_000

/** A table of a hundred thousand sockets has 15 MB. */
const SMALL = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 }

class LookThread {
  readonly #tables: Tables
  #worker: Worker | null = null
  #isOnline = false
  #lookedMs = Number.NEGATIVE_INFINITY
  #failedMs = Number.NEGATIVE_INFINITY
  #idle: NodeJS.Timeout | null = null
  #answer: (looked: WorkerLooked | null) => void = () => undefined

  constructor(tables: Tables) {
    this.#tables = tables
  }

  /** Null when there is no thread that could look. */
  look(peers: readonly Peer[]): Promise<WorkerLooked | null> {
    const now = performance.now()
    if (this.#worker === null && now - this.#lookedMs < SOON_MS && now - this.#failedMs > RETRY_MS) this.#start()
    this.#lookedMs = now
    this.#idle?.refresh()
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
      const program = join(distDir(), 'look-worker.cjs')
      const worker = new Worker(program, { workerData: this.#tables, resourceLimits: SMALL })
      this.#worker = worker
      worker.unref()
      worker.on('online', () => {
        this.#isOnline = true
      })
      worker.on('message', (looked: WorkerLooked) => this.#answer(looked))
      worker.on('error', () => this.#fail())
      worker.on('exit', () => this.#worker === worker && this.#fail())
      this.#idle = setTimeout(() => this.end(), IDLE_MS).unref()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error
      this.#fail()
    }
  }

  /** Memory, threads or descriptors ran out: whoever waits is looked for by the pool. */
  #fail(): void {
    this.#failedMs = performance.now()
    this.#lose()
  }

  #lose(): void {
    if (this.#idle !== null) clearTimeout(this.#idle)
    this.#idle = null
    this.#worker = null
    this.#isOnline = false
    this.#answer(null)
  }
}
