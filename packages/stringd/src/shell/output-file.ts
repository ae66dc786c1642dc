import { closeSync, lstatSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { LIMITS } from '@string-os/protocol'
import { OpenFolder } from '../store/open-folder.ts'
import { realOr } from '../store/real-path.ts'

/** Where an output is kept: `<home>/.string/output/NAME`. */
export interface OutputPlace {
  readonly home: string
  readonly name: string
}

/** A file that holds what is too large to be shown. A disk that takes no more ends nothing but the file. */
export class OutputFile {
  readonly #place: OutputPlace
  readonly #onFile: () => void
  #descriptor: number | null = null
  #total = 0
  #isBegun = false
  /** Why the whole could not be kept. */
  #failure: string | null = null

  /** `onFile` is told when there is one. */
  constructor(place: OutputPlace, onFile: () => void) {
    this.#place = place
    this.#onFile = onFile
  }

  get isBegun(): boolean {
    return this.#isBegun
  }

  get whereabouts(): string {
    if (this.#failure !== null) return `the whole could not be kept (${this.#failure})`
    const kept = this.#total > LIMITS.shellFileBytes ? `the first ${LIMITS.shellFileBytes} bytes are` : 'the whole is'
    return `${kept} in ~/.string/output/${this.#place.name}, /open reads it`
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
      if (this.#descriptor !== null) removeOutput(this.#place)
      this.close()
    }
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor)
    this.#descriptor = null
  }

  #open(): number {
    const descriptor = openOutput(this.#place)
    this.#onFile()
    return descriptor
  }
}

/** A disk that is nearly full takes a part first. */
function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

/** What the system does not let us remove stays. */
export function removeOutput({ home, name }: OutputPlace): void {
  try {
    inOutputs(home, (folder) => rmSync(folder.at(name), { force: true }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}

function openOutput({ home, name }: OutputPlace): number {
  return inOutputs(home, (folder) => {
    makeRoom(folder)
    return openSync(folder.at(name), 'wx', 0o600)
  })
}

/** A home may have come from elsewhere: a link in the place of `.string` or `output` is not followed. */
function inOutputs<T>(home: string, use: (folder: OpenFolder) => T): T {
  const root = OpenFolder.open(realOr(home))
  try {
    return below(root, '.string', (state) => {
      ignoreAll(state)
      return below(state, 'output', use)
    })
  } finally {
    root.close()
  }
}

function below<T>(parent: OpenFolder, name: string, use: (folder: OpenFolder) => T): T {
  const folder = parent.below(name, 0o700)
  try {
    return use(folder)
  } finally {
    folder.close()
  }
}

/** A home may be a project folder: nothing of this is for version control. */
function ignoreAll(folder: OpenFolder): void {
  try {
    writeFileSync(folder.at('.gitignore'), '*\n', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The oldest files go when all together are too large. */
function makeRoom(folder: OpenFolder): void {
  const files = readdirSync(folder.at('.')).map((name) => ({
    path: folder.at(name),
    stat: lstatSync(folder.at(name), { throwIfNoEntry: false }),
  }))
  let total = files.reduce((sum, { stat }) => sum + (stat?.size ?? 0), 0)
  for (const { path, stat } of files.toSorted((a, b) => (a.stat?.mtimeMs ?? 0) - (b.stat?.mtimeMs ?? 0))) {
    if (total <= LIMITS.shellAgentBytes - LIMITS.shellFileBytes) return
    rmSync(path, { force: true })
    total -= stat?.size ?? 0
  }
}
