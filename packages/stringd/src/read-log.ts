import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { isFields, LIMITS, LOG_LEVELS, type LogEntry, type LogLevel, parseJson } from '@string-os/protocol'

export interface LogQuery {
  /** At most so many; those of the oldest millisecond are not parted, so there may be some more. */
  readonly limit: number
  /** Logged earlier than this time. */
  readonly before: string | null
  /** Logged at or after this time. */
  readonly since: string | null
  /** As urgent as this, or more. */
  readonly level: LogLevel
}

/** Where the log of a data folder is. */
export function logPath(dataDir: string): string {
  return join(dataDir, 'daemon.log')
}

/** What a daemon logs that finds the record of one before it, which came to no orderly end; `lastPid` is that one. */
export const DAEMON_DIED = 'The last stringd did not end in order'

const CHUNK_BYTES = 256 * 1024
const NEWLINE = 10

/** The end of the log, newest first. Files are read from their ends, and no further than is needed. */
export async function readLog(path: string, query: LogQuery): Promise<LogEntry[]> {
  const found: LogEntry[] = []
  let bytes = 0
  for await (const line of linesBackwards(path)) {
    const entry = entryOf(line)
    if (entry === null) continue
    if (query.since !== null && entry.time < query.since) break
    if ((query.before !== null && entry.time >= query.before) || !isUrgent(entry, query.level)) continue
    const isFull = found.length >= query.limit || bytes > LIMITS.listedLogBytes
    if (isFull && (entry.time !== found.at(-1)?.time || bytes > 2 * LIMITS.listedLogBytes)) break
    found.push(entry)
    bytes += line.length
  }
  return found
}

function isUrgent({ level }: LogEntry, least: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least)
}

/** Lines of all files of a log, the last one first. */
async function* linesBackwards(path: string): AsyncGenerator<string> {
  // One that gets its next name while we read is met again under it.
  const read = new Set<number>()
  for (let index = 0; index < LIMITS.logFiles; index += 1) {
    const file = await openOrNull(index === 0 ? path : `${path}.${index}`)
    if (file === null) continue
    try {
      const { ino, size } = await file.stat()
      if (!read.has(ino)) yield* linesOf(file, size)
      read.add(ino)
    } finally {
      await file.close()
    }
  }
}

async function openOrNull(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EACCES') return null
    throw error
  }
}

async function* linesOf(file: FileHandle, size: number): AsyncGenerator<string> {
  let end = size
  let rest = Buffer.alloc(0)
  while (end > 0) {
    const length = Math.min(CHUNK_BYTES, end)
    const chunk = Buffer.alloc(length)
    const { bytesRead } = await file.read(chunk, 0, length, end - length)
    end -= length
    const text = Buffer.concat([chunk.subarray(0, bytesRead), rest])
    const first = text.indexOf(NEWLINE)
    // What stands before the first line end belongs to a line that begins further up.
    const cut = end === 0 ? 0 : first + 1
    if (end > 0 && first === -1 && text.length <= LIMITS.listedLogBytes) {
      rest = text
      continue
    }
    rest = Buffer.from(text.subarray(0, cut))
    yield* text.subarray(cut).toString('utf8').split('\n').reverse()
  }
}

/** Null for what is no line of ours: torn by a full disk, or of another hand. */
function entryOf(line: string): LogEntry | null {
  const value = parseJson(line)
  if (!isFields(value)) return null
  const { time, level, message, ...others } = value
  const known = LOG_LEVELS.find((each) => each === level)
  if (typeof time !== 'string' || known === undefined || typeof message !== 'string') return null
  return { time, level: known, message, fields: plainFields(others) }
}

function plainFields(values: Readonly<Record<string, unknown>>): LogEntry['fields'] {
  const fields: Record<string, LogEntry['fields'][string]> = Object.create(null) as Record<string, null>
  for (const [name, value] of Object.entries(values))
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      fields[name] = value
  return fields
}
