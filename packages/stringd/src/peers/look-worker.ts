import { openSync, readSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { lookSync, type Tables } from './look.ts'
import type { Owner, Peer } from './socket-table.ts'

/** What the worker answers: the owners, and what the looks before this one have cost. */
export interface WorkerLooked {
  readonly owners: readonly Owner[]
  readonly spentMs: number
}

/** The program of the thread that looks. A task is the peers to be found; the tables stay open in the daemon. */
const tables = workerData as Tables
const busyMs = createThreadClock()
let before = busyMs()
parentPort?.on('message', (peers: readonly Peer[]) => {
  // The system counts a thread's time when it rests: that of this look is known at the next one.
  const now = busyMs()
  const looked: WorkerLooked = { owners: lookSync(tables, peers), spentMs: now - before }
  before = now
  parentPort?.postMessage(looked)
})

/** Tells what this thread has cost so far; where the system does not tell that, the time that has passed. */
function createThreadClock(): () => number {
  try {
    // Kept open, so that it can be read when descriptors run out.
    const file = openSync('/proc/thread-self/schedstat', 'r')
    const buffer = Buffer.alloc(64)
    return () => Number.parseInt(buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0)), 10) / 1e6
  } catch {
    // A kernel without such a file.
    return () => performance.now()
  }
}
