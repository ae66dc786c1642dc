import { closeSync, fstatSync, openSync, readSync, renameSync, writeSync } from 'node:fs'
import { LIMITS, type LogLevel } from '@string-os/protocol'

type Fields = Readonly<Record<string, string | number | boolean | null>>

/** One JSON object per line. Never give it tokens, command bodies, event texts or variable values. */
export interface Log {
  debug(message: string, fields?: Fields): void
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
}

export function createLog(write: (line: string) => void, debug = false): Log {
  const at =
    (level: LogLevel) =>
    (message: string, fields: Fields = {}): void => {
      write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`)
    }
  return { debug: debug ? at('debug') : ignore, info: at('info'), warn: at('warn'), error: at('error') }
}

interface LogFile {
  readonly fd: number
  bytes: number
  /** It ends in the middle of a line: the disk was full, or whoever wrote it was killed. */
  isTorn: boolean
}

/** Appends to a file and starts a new one when it is full. A line that cannot be written is dropped, never an error. */
export function logFileWriter(path: string): (line: string) => void {
  let file: LogFile | null = null
  return (line) => {
    try {
      if (file !== null && file.bytes > LIMITS.logFileBytes) {
        const full = file
        file = null
        closeSync(full.fd)
        rotate(path)
      }
      file ??= open(path)
      append(file, line)
    } catch {
      // A full disk must not stop the daemon, and there is no place left to say so.
      if (file !== null) closeSync(file.fd)
      file = null
    }
  }
}

function append(file: LogFile, line: string): void {
  const text = file.isTorn ? `\n${line}` : line
  const written = writeSync(file.fd, text)
  file.bytes += written
  file.isTorn = written < Buffer.byteLength(text)
}

function open(path: string): LogFile {
  const fd = openSync(path, 'a+', 0o600)
  const bytes = fstatSync(fd).size
  const last = Buffer.alloc(1)
  const isTorn = bytes > 0 && readSync(fd, last, 0, 1, bytes - 1) === 1 && last.toString() !== '\n'
  return { fd, bytes, isTorn }
}

function rotate(path: string): void {
  for (let index = LIMITS.logFiles - 1; index > 0; index -= 1) {
    try {
      renameSync(index === 1 ? path : `${path}.${index - 1}`, `${path}.${index}`)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

function ignore(): void {}
