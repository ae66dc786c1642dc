import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  readFileSync,
  renameSync,
  type Stats,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseJson } from '@string-os/protocol'
import type { Log } from '../../log.ts'
import { writeFileAtomic } from '../../store/atomic-file.ts'
import type { FileLocks } from '../../store/file-locks.ts'
import { asideName } from '../../store/odd-file.ts'
import { realOr } from '../../store/real-path.ts'
import { entriesOf } from './json-object.ts'

export interface StateRead {
  /** A map, so that no name is special. */
  readonly values: ReadonlyMap<string, unknown>
  readonly damaged: boolean
}

/** A kind of file: where it is, and what of its values can be used. */
export interface StateFile {
  readonly path: string
  readonly clean: (values: ReadonlyMap<string, unknown>) => { values: Map<string, unknown>; whole: boolean }
}

/** How often a change is made anew because another daemon on the same home was faster. */
const ATTEMPTS = 10

/** Small JSON objects on disk. Reading changes nothing; a damaged file is kept aside by the first change. */
export class StateFiles {
  readonly #locks: FileLocks
  readonly #log: Log

  constructor(locks: FileLocks, log: Log) {
    this.#locks = locks
    this.#log = log
  }

  read({ path, clean }: StateFile): StateRead {
    const text = readText(path)
    const parsed = text === null ? null : entriesOf(parseJson(text))
    if (parsed === null) return { values: new Map(), damaged: text !== null }
    const { values, whole } = clean(parsed)
    return { values, damaged: !whole }
  }

  /** One change at a time, whichever topic it comes from; what comes back is on the disk. */
  change(file: StateFile, apply: (values: Map<string, unknown>) => void): Promise<void> {
    return this.#locks.with(join(realOr(dirname(file.path)), basename(file.path)), async () => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) if (await this.#tryChange(file, apply)) return
      throw new Error(`${file.path} is changed by someone else all the time`)
    })
  }

  async #tryChange(file: StateFile, apply: (values: Map<string, unknown>) => void): Promise<boolean> {
    const { path } = file
    const found = look(path)
    const { values, damaged } = this.read(file)
    const next = new Map(values)
    apply(next)
    const before = damaged ? this.#keepAside(path) : found
    const confirm = (): boolean => isSame(before, look(path))
    return writeFileAtomic(path, `${JSON.stringify(Object.fromEntries(next), null, 2)}\n`, { confirm })
  }

  #keepAside(path: string): Stats | undefined {
    const aside = asideName(path)
    // A copy, so that the file is never missing; what is no file can only be moved.
    if (look(path)?.isFile() === true && isReadable(path)) {
      copyFileSync(path, aside)
      chmodSync(aside, 0o600)
    } else renameSync(path, aside)
    this.#log.error(`${path} was damaged: what could not be read of it is lost; it is kept as ${aside}`)
    return look(path)
  }
}

function look(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

function isSame(a: Stats | undefined, b: Stats | undefined): boolean {
  return a?.ino === b?.ino && a?.mtimeMs === b?.mtimeMs && a?.size === b?.size
}

/** Null when there is no file; nothing when there is one that can never be read. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    // What the system cannot give us now may be whole.
    if (code !== 'EISDIR' && code !== 'EACCES' && code !== 'ELOOP') throw error
    return ''
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    // Not ours to read.
    return false
  }
}
