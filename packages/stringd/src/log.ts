import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'
import { LIMITS } from '@string-os/protocol'

type Level = 'debug' | 'info' | 'warn' | 'error'
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
    (level: Level) =>
    (message: string, fields: Fields = {}): void => {
      write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`)
    }
  return { debug: debug ? at('debug') : ignore, info: at('info'), warn: at('warn'), error: at('error') }
}

/** Appends to a file and starts a new one when it is full. A line that cannot be written is dropped, never an error. */
export function logFileWriter(path: string): (line: string) => void {
  let file: { fd: number; bytes: number } | null = null
  return (line) => {
    try {
      file ??= open(path)
      if (file.bytes > LIMITS.logFileBytes) {
        closeSync(file.fd)
        rotate(path)
        file = open(path)
      }
      file.bytes += writeSync(file.fd, line)
    } catch {
      // A full disk must not stop the daemon, and there is no place left to say so.
      if (file !== null) closeSync(file.fd)
      file = null
    }
  }
}

function open(path: string): { fd: number; bytes: number } {
  const fd = openSync(path, 'a', 0o600)
  return { fd, bytes: fstatSync(fd).size }
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
