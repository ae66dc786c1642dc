import { closeSync, openSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { ensurePrivateDir } from '../store/private-dir.ts'
import { screenText } from './screen-text.ts'

/** Collects what a command prints: all of it while it is small, then head and tail, and the whole in a file. */
export class Output {
  readonly #path: string | null
  readonly #shownPath: string
  readonly #onFile: () => void
  #head: Buffer[] = []
  #tail: Buffer[] = []
  #headBytes = 0
  #tailBytes = 0
  #total = 0
  #file: number | null = null
  /** Why the whole could not be kept. */
  #failure: string | null = null

  /** `path` is where the whole goes if it gets large (null: nowhere), of which `onFile` tells; `shownPath` how messages name it. */
  constructor(path: string | null, shownPath: string, onFile: () => void) {
    this.#path = path
    this.#shownPath = shownPath
    this.#onFile = onFile
  }

  add(chunk: Buffer): void {
    this.#total += chunk.length
    if (this.#total > LIMITS.shellOutputBytes && this.#failure === null) this.#save(chunk)
    const half = LIMITS.shellOutputBytes / 2
    const toHead = Math.min(chunk.length, half - this.#headBytes)
    if (toHead > 0) {
      this.#head.push(chunk.subarray(0, toHead))
      this.#headBytes += toHead
    }
    if (toHead < chunk.length) this.#addTail(chunk.subarray(Math.max(0, toHead)), half)
  }

  /** What a person would see, with a line where something was left out. */
  text(): string {
    const head = Buffer.concat(this.#head)
    const tail = Buffer.concat(this.#tail)
    const shown = tail.subarray(Math.max(0, tail.length - LIMITS.shellOutputBytes / 2))
    const left = this.#total - head.length - shown.length
    if (left <= 0) return screenText(Buffer.concat([head, shown]).toString('utf8'))
    const note = `… ${left} bytes left out${this.#whereabouts()} …`
    return `${screenText(head.toString('utf8'))}\n${note}\n${screenText(shown.toString('utf8'))}`
  }

  #whereabouts(): string {
    if (this.#path === null) return ''
    if (this.#failure !== null) return `; the whole could not be kept (${this.#failure})`
    const kept = this.#total > LIMITS.shellFileBytes ? `the first ${LIMITS.shellFileBytes} bytes are` : 'the whole is'
    return `; ${kept} in ${this.#shownPath}, /open reads it`
  }

  end(): void {
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
  }

  #addTail(chunk: Buffer, limit: number): void {
    this.#tail.push(chunk)
    this.#tailBytes += chunk.length
    // Whole chunks are let go, so that the cost does not grow with the number of chunks.
    while (this.#tailBytes - (this.#tail[0]?.length ?? 0) >= limit) this.#tailBytes -= this.#tail.shift()?.length ?? 0
  }

  /** A disk that takes no more must not end the command, nor hide what it prints. */
  #save(chunk: Buffer): void {
    if (this.#path === null) return
    try {
      this.#write(chunk, this.#path)
    } catch (error) {
      this.#failure = (error as NodeJS.ErrnoException).code ?? String(error)
      if (this.#file !== null) rmSync(this.#path, { force: true })
      this.end()
    }
  }

  #write(chunk: Buffer, path: string): void {
    if (this.#file === null) {
      this.#file = openOutput(path)
      this.#onFile()
      for (const piece of [...this.#head, ...this.#tail]) writeAll(this.#file, piece)
    }
    const room = LIMITS.shellFileBytes - (this.#total - chunk.length)
    if (room > 0) writeAll(this.#file, chunk.subarray(0, room))
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
