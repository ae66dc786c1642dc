import type { Stats } from 'node:fs'
import { LIMITS } from '@string-os/protocol'
import { isSameFile } from '../files/same-file.ts'

/** Values by key, as many as fit into a budget; those used last stay. */
export class PageCache<T> {
  readonly #entries = new Map<string, { value: T; cost: number }>()
  readonly #capacity: number
  #cost = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: T, cost: number): void {
    this.delete(key)
    this.#entries.set(key, { value, cost })
    this.#cost += cost
    for (const oldest of this.#entries.keys()) {
      if (this.#cost <= this.#capacity) break
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    this.#cost -= this.#entries.get(key)?.cost ?? 0
    this.#entries.delete(key)
  }
}

/** Remembers what was made of a file for as long as it is the same file. */
export class FileCache<T> {
  readonly #entries = new PageCache<{ stat: Stats; value: T }>(LIMITS.documentCacheBytes)

  get(path: string, stat: Stats): T | undefined {
    const entry = this.#entries.get(path)
    return entry !== undefined && isSameFile(entry.stat, stat) ? entry.value : undefined
  }

  set(path: string, stat: Stats, value: T, cost: number): void {
    this.#entries.set(path, { stat, value }, cost)
  }
}
