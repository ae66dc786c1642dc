import { closeSync, lstatSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { OpenFolder } from '../../store/open-folder.ts'
import { realOr } from '../../store/real-path.ts'

/** Where an output is kept: `<home>/.string/output/NAME`. */
export interface OutputPlace {
  readonly home: string
  readonly name: string
}

/** Of whom the output is. */
export interface OutputOrigin {
  /** Whoever is told of it types into a shell, where `~` is another home, and commands have two slashes. */
  readonly isInShell: boolean
  /** A terminal ends lines with CR LF, which no program has printed. */
  readonly isTerminal: boolean
}

const OF_A_PIPE: OutputOrigin = { isInShell: false, isTerminal: false }

/** A file that holds what is too large to be shown. A disk that takes no more ends nothing but the file. */
export class OutputFile {
  readonly #place: OutputPlace
  readonly #onFile: () => void
  readonly #origin: OutputOrigin
  /** The end of the last piece, which may be that of a line. */
  #held: Buffer = NOTHING
  #descriptor: number | null = null
  #total = 0
  #isBegun = false
  /** Why the whole could not be kept. */
  #failure: string | null = null

  /** `onFile` is told when there is one. */
  constructor(place: OutputPlace, onFile: () => void, origin: OutputOrigin = OF_A_PIPE) {
    this.#place = place
    this.#onFile = onFile
    this.#origin = origin
  }

  get isBegun(): boolean {
    return this.#isBegun
  }

  get whereabouts(): string {
    if (this.#failure !== null) return `the whole could not be kept (${this.#failure})`
    const kept = this.#total > LIMITS.shellFileBytes ? `the first ${LIMITS.shellFileBytes} bytes are` : 'the whole is'
    const { home, name } = this.#place
    const path = join('.string/output', name)
    return this.#origin.isInShell
      ? `${kept} in ${join(home, path)}, //open reads it`
      : `${kept} in ~/${path}, /open reads it`
  }

  /** Where it is; null where there is none. */
  get path(): string | null {
    const { home, name } = this.#place
    return this.#isBegun && this.#failure === null ? join(home, '.string/output', name) : null
  }

  write(bytes: Buffer): void {
    const chunk = this.#origin.isTerminal ? this.#withoutReturns(bytes) : bytes
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

  #withoutReturns(bytes: Buffer): Buffer {
    const all = Buffer.concat([this.#held, bytes])
    const end = all.at(-1) === RETURN ? all.length - 1 : all.length
    this.#held = all.subarray(end)
    return Buffer.from(all.toString('latin1', 0, end).replaceAll('\r\n', '\n'), 'latin1')
  }

  #open(): number {
    const descriptor = openOutput(this.#place)
    this.#onFile()
    return descriptor
  }
}

const RETURN = 13
const NOTHING = Buffer.alloc(0)

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
