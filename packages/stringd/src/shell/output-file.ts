import { closeSync, openSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { ensurePrivateDir } from '../store/private-dir.ts'

/** A file that holds what is too large to be shown. A disk that takes no more ends nothing but the file. */
export class OutputFile {
  readonly #path: string
  readonly #shownPath: string
  readonly #onFile: () => void
  #descriptor: number | null = null
  #total = 0
  #isBegun = false
  /** Why the whole could not be kept. */
  #failure: string | null = null

  /** `onFile` is told when there is one; `shownPath` is how messages name it. */
  constructor(path: string, shownPath: string, onFile: () => void) {
    this.#path = path
    this.#shownPath = shownPath
    this.#onFile = onFile
  }

  get isBegun(): boolean {
    return this.#isBegun
  }

  get whereabouts(): string {
    if (this.#failure !== null) return `the whole could not be kept (${this.#failure})`
    const kept = this.#total > LIMITS.shellFileBytes ? `the first ${LIMITS.shellFileBytes} bytes are` : 'the whole is'
    return `${kept} in ${this.#shownPath}, /open reads it`
  }

  write(chunk: Buffer): void {
    const room = LIMITS.shellFileBytes - this.#total
    this.#total += chunk.length
    this.#isBegun = true
    if (this.#failure !== null || room <= 0) return
    try {
      this.#descriptor ??= this.#open()
      writeAll(this.#descriptor, chunk.subarray(0, room))
    } catch (error) {
      this.#failure = (error as NodeJS.ErrnoException).code ?? String(error)
      if (this.#descriptor !== null) rmSync(this.#path, { force: true })
      this.close()
    }
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor)
    this.#descriptor = null
  }

  #open(): number {
    const descriptor = openOutput(this.#path)
    this.#onFile()
    return descriptor
  }
}

/** A disk that is nearly full takes a part first. */
function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

function openOutput(path: string): number {
  const folder = join(path, '..')
  ensurePrivateDir(folder)
  writeFileSync(join(folder, '../.gitignore'), '*\n')
  makeRoom(folder)
  return openSync(path, 'w', 0o600)
}

/** The oldest files go when all together are too large. */
function makeRoom(folder: string): void {
  const files = readdirSync(folder).map((name) => ({
    path: join(folder, name),
    stat: statSync(join(folder, name), { throwIfNoEntry: false }),
  }))
  let total = files.reduce((sum, { stat }) => sum + (stat?.size ?? 0), 0)
  for (const { path, stat } of files.toSorted((a, b) => (a.stat?.mtimeMs ?? 0) - (b.stat?.mtimeMs ?? 0))) {
    if (total <= LIMITS.shellAgentBytes - LIMITS.shellFileBytes) return
    rmSync(path, { force: true })
    total -= stat?.size ?? 0
  }
}
