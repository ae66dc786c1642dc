import { rmSync, truncateSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIMITS } from '@string-os/protocol'
import type { Assembly } from './daemon-parts.ts'
import { daemonRecordPath, readDaemonRecord } from './daemon-record.ts'
import { recordStopping } from './data-folder.ts'
import type { Log } from './log.ts'
import type { Store } from './store/store.ts'

export interface Daemon {
  readonly port: number
  /** Ends everything in order; the same promise however often it is called. `why` is in the log: who asked first. */
  stop(why?: string): Promise<void>
  /** Resolves when the daemon has stopped, whoever asked for it. */
  readonly stopped: Promise<void>
}

/** However often it is asked for, the end comes once. */
export function stopOnce(end: (why: string | null) => Promise<void>): Pick<Daemon, 'stop' | 'stopped'> {
  const { promise: stopped, resolve, reject } = deferred<void>()
  let isStopping = false
  const stop = (why: string | null = null): Promise<void> => {
    if (isStopping) return stopped
    isStopping = true
    void end(why).then(resolve, reject)
    return stopped
  }
  return { stop, stopped }
}

/** Forgets what was dealt with long ago, now and from time to time. */
export function prunePeriodically(stores: readonly { prune: () => Promise<number> }[], log: Log): NodeJS.Timeout {
  const prune = (): void => {
    Promise.all(stores.map((store) => store.prune())).catch((error: unknown) =>
      log.warn('Old events and deliveries could not be removed', { cause: String(error) }),
    )
  }
  prune()
  return setInterval(prune, LIMITS.eventPruneMs).unref()
}

/** Refuses new connections, answers what runs and waits, lets the answers leave, and gives the data folder back. */
export async function stopDaemon(
  { options: { dataDir, log }, http: { server, active, settled }, peers, lock }: Assembly,
  store: Store,
  end: () => Promise<unknown>,
  why: string | null,
): Promise<void> {
  recordStopping(dataDir)
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  const ended = end()
  // A connection on which nothing is being answered is of no use to anyone any more.
  const idle = setInterval(() => active() === 0 && server.closeAllConnections(), LIMITS.shutdownGraceMs)
  const force = setTimeout(() => server.closeAllConnections(), LIMITS.shutdownMs)
  await Promise.all([closed, ended])
  clearInterval(idle)
  clearTimeout(force)
  peers.end()
  // What a client that was cut off has begun is on its way to the disk still.
  const over = new AbortController()
  await Promise.race([settled(), sleep(LIMITS.shutdownWritesMs, null, over)])
  over.abort()
  await store.close()
  if (readDaemonRecord(dataDir)?.pid === process.pid) forgetRecord(daemonRecordPath(dataDir), log)
  lock.release()
  log.info('stringd has stopped', { pid: process.pid, ...(why === null ? {} : { reason: why }) })
}

/** A record that stays says that we were killed. In a folder that cannot be written it may be emptied, which says as much as none. */
function forgetRecord(path: string, log: Log): void {
  try {
    rmSync(path, { force: true })
  } catch {
    try {
      truncateSync(path)
    } catch (error) {
      log.warn('That stringd has stopped could not be recorded', { path, cause: String(error) })
    }
  }
}

interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

export function deferred<T>(): Deferred<T> {
  let settle: Pick<Deferred<T>, 'resolve' | 'reject'> | undefined
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject }
  })
  if (settle === undefined) throw new Error('A promise runs its executor at once')
  return { promise, ...settle }
}
