import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { syncPath } from './sync-path.ts'

/**
 * The log of an open database, into which SQLite writes what is committed. It is brought to the disk here and not by SQLite, which
 * would hold up the event loop however long the disk takes, and would sync the times of the file too.
 */
export class WrittenLog {
  readonly #descriptor: number
  #tookMs = 0
  #isBusy = false
  #isOver = false

  constructor(database: string) {
    // One that was just made is in its folder after a crash too.
    syncPath(dirname(database))
    this.#descriptor = openSync(`${database}-wal`, 'r')
  }

  /** What was written is on the disk. A fast disk is waited for, which takes less than to ask another thread; a slow one is not. */
  sync(): Promise<void> | undefined {
    if (this.#isOver) throw new Error('The log of the database is closed')
    const began = performance.now()
    if (this.#tookMs > LIMITS.diskWaitMs) return this.#beside(began)
    fdatasyncSync(this.#descriptor)
    this.#tookMs = performance.now() - began
    return undefined
  }

  /** Once: the number may be that of another file afterwards. */
  close(): void {
    if (this.#isOver) return
    this.#isOver = true
    if (!this.#isBusy) closeSync(this.#descriptor)
  }

  #beside(began: number): Promise<void> {
    this.#isBusy = true
    return new Promise((resolve, reject) => {
      fdatasync(this.#descriptor, (error) => {
        this.#isBusy = false
        this.#tookMs = performance.now() - began
        if (this.#isOver) closeSync(this.#descriptor)
        if (error === null) resolve()
        else reject(error)
      })
    })
  }
}
