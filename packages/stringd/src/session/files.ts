import { closeSync, constants, fstatSync, openSync, readdirSync, readlinkSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Failure, fail, LIMITS } from '@string-os/protocol'
import { isTemporary } from '../store/atomic-file.ts'
import type { Place } from './workspace.ts'

export interface FileContent {
  readonly ok: true
  readonly bytes: Buffer
}

export interface Entry {
  readonly name: string
  readonly kind: 'folder' | 'file' | 'link' | 'other'
  readonly bytes: number
}

export function isFolder({ real }: Place): boolean {
  return statSync(real, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Reads a regular file of at most `documentBytes`. The file read is the one that passed the guard, or none. */
export function readFile({ real }: Place, typed: string): FileContent | Failure {
  try {
    // Not blocking: a pipe or a terminal under this name must not hold the daemon. Not following: the guard looked at this path.
    const fd = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      return readOpen(fd, real, typed)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    return readFailure(error, typed)
  }
}

/** The entries of a folder, folders first, by name. */
export function listFolder({ real }: Place, typed: string, all: boolean): Entry[] | Failure {
  try {
    const names = readdirSync(real).filter((name) => !isTemporary(name) && (all || !name.startsWith('.')))
    const entries = names.map((name) => entryOf(real, name))
    return entries.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
  } catch (error) {
    return readFailure(error, typed)
  }
}

function readOpen(fd: number, real: string, typed: string): FileContent | Failure {
  const stat = fstatSync(fd)
  if (!stat.isFile()) return fail('LOAD_ERROR', `Not a regular file: ${typed}`)
  if (process.platform === 'linux' && readlinkSync(`/proc/self/fd/${fd}`) !== real) {
    return fail('INVALID_PATH', `The path changed while it was opened: ${typed}`)
  }
  const bytes = readAtMost(fd, stat.size, LIMITS.documentBytes)
  if (bytes !== null) return { ok: true, bytes }
  return fail('TOO_LARGE', `${typed} is larger than ${LIMITS.documentBytes / 1024 / 1024} MiB`)
}

/** Null when there is more than `limit`. `expected` is only a guess: the file may grow meanwhile. */
function readAtMost(fd: number, expected: number, limit: number): Buffer | null {
  if (expected > limit) return null
  let buffer = Buffer.allocUnsafe(expected + 1)
  let length = 0
  for (;;) {
    const count = readSync(fd, buffer, length, buffer.length - length, null)
    if (count === 0) return buffer.subarray(0, length)
    length += count
    if (length > limit) return null
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)])
  }
}

function readFailure(error: unknown, typed: string): Failure {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return notFound(typed)
  if (code === 'ELOOP') return fail('INVALID_PATH', `The path changed while it was opened: ${typed}`)
  if (code === 'EISDIR') return fail('LOAD_ERROR', `${typed} is a folder`)
  if (code === 'EACCES' || code === 'EPERM') return fail('LOAD_ERROR', `No permission to read ${typed}`)
  if (code === undefined) throw error
  return fail('LOAD_ERROR', `Cannot read ${typed}: ${code}`)
}

export function notFound(typed: string): Failure {
  return fail('NOT_FOUND', `File not found: ${typed}`, '/ls shows what exists')
}

function entryOf(folder: string, name: string): Entry {
  try {
    const stat = statSync(join(folder, name))
    return { name, kind: stat.isDirectory() ? 'folder' : stat.isFile() ? 'file' : 'other', bytes: stat.size }
  } catch {
    // A link to nothing, to itself, or to where we may not look.
    return { name, kind: 'link', bytes: 0 }
  }
}

function rank({ kind }: Entry): number {
  return kind === 'folder' ? 0 : 1
}
