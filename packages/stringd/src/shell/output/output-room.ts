import { LIMITS } from '@string-os/protocol'

/** Counts what all commands that run hold of their outputs in memory. When that is much, each keeps little. */
export class OutputRoom {
  #total = 0

  /** What one command may hold now. */
  get eachBytes(): number {
    return this.#total < LIMITS.outputsBytes ? LIMITS.shellOutputBytes : LIMITS.tightOutputBytes
  }

  /** More, or with a negative number less, is held. */
  add(bytes: number): void {
    this.#total += bytes
  }
}
