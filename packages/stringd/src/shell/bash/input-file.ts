import { closeSync, fstatSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { ensurePrivateDir } from '../../store/private-dir.ts'

/**
 * The file from which a shell reads what it is told to run. It stays open, and a zero byte ends what is in it: cutting a
 * file off and writing it anew makes some file systems wait for the disk.
 */
export class InputFile {
  readonly path: string
  #descriptor: number | null = null

  constructor(path: string) {
    this.path = path
  }

  write(script: string): void {
    const bytes = Buffer.from(`${script}\0`)
    const descriptor = this.#open()
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at, bytes.length - at, at)
  }

  end(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor)
    this.#descriptor = null
    rmSync(this.path, { force: true })
  }

  /** One that somebody has removed is made again. */
  #open(): number {
    if (this.#descriptor !== null && fstatSync(this.#descriptor).nlink > 0) return this.#descriptor
    if (this.#descriptor !== null) closeSync(this.#descriptor)
    this.#descriptor = null
    ensurePrivateDir(dirname(this.path))
    this.#descriptor = openSync(this.path, 'w', 0o600)
    return this.#descriptor
  }
}
