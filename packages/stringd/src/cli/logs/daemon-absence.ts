import { type DaemonRecord, isDaemonAlive, readDaemonRecord } from '../../daemon-record.ts'
import type { TimelineEntry } from './entry.ts'

/** Notices that the daemon of a data folder has died: one that stops takes its record with it, or says there that it stops. */
export class DaemonAbsence {
  readonly #dataDir: string
  #died: DaemonRecord | null = null

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  /** What happened, where it has died since it was asked last; null: nothing that is not known. */
  look(now: string): TimelineEntry | null {
    const record = readDaemonRecord(this.#dataDir)
    if (record === null || record.isStopping || isDaemonAlive(record)) return null
    if (record.pid === this.#died?.pid && record.startedAt === this.#died.startedAt) return null
    this.#died = record
    return {
      time: now,
      kind: 'log',
      agent: null,
      id: null,
      state: 'error',
      isFailure: true,
      text: 'daemon: stringd has gone, and did not say that it stops',
      reason: `it was killed (pid ${record.pid}), and what it ran is cut off; string start starts it`,
      message: null,
      key: `died ${record.pid} ${record.startedAt}`,
    }
  }

  /** Whether a line of the log of the next daemon tells of that death, which was told. Asked once for each. */
  isTold(lastPid: unknown): boolean {
    if (this.#died === null || lastPid !== this.#died.pid) return false
    this.#died = null
    return true
  }
}
