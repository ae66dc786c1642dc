import type { Stats } from 'node:fs'
import { LIMITS } from '@string-os/protocol'
import { isSameFile } from '../files/same-file.ts'

interface Entry<T> {
  readonly stat: Stats
  readonly cost: number
  readonly value: T
}

/** Remembers what was made of a file for as long as it is the same file; of many, those used last. */
export class FileCache<T> {
  readonly #entries = new Map<string, Entry<T>>()
  readonly #capacity: number
  #cost = 0

  constructor(capacity: number = LIMITS.documentCacheBytes) {
    this.#capacity = capacity
  }

  get(path: string, stat: Stats): T | undefined {
    const entry = this.#entries.get(path)
    if (entry === undefined || !isSameFile(entry.stat, stat)) return undefined
    this.#entries.delete(path)
    this.#entries.set(path, entry)
    return entry.value
  }

  set(path: string, stat: Stats, value: T, cost: number): void {
    this.#remove(path)
    this.#entries.set(path, { stat, value, cost })
    this.#cost += cost
    for (const oldest of this.#entries.keys()) {
      if (this.#cost <= this.#capacity) break
      this.#remove(oldest)
    }
  }

  #remove(path: string): void {
    this.#cost -= this.#entries.get(path)?.cost ?? 0
    this.#entries.delete(path)
  }
}
