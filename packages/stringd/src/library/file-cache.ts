import type { Stats } from 'node:fs'
import { LIMITS } from '@string-os/protocol'
import { isSameFile } from '../files/same-file.ts'
import { PageCache } from './page-cache.ts'

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
