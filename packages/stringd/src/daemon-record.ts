import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { livingProcess } from '@string-os/bridge/reap'
import { isFields } from '@string-os/protocol'
import { processExists } from './store/process-exists.ts'

/** `daemon.json`: who serves this data folder. */
export interface DaemonRecord {
  readonly pid: number
  readonly port: number
  readonly version: string
  readonly startedAt: string
  /** When the system says the process began; tells it from another that got the same pid later. */
  readonly processStart: string | null
  /** Whoever can read this is the daemon's own user, and shows it by sending this; null from a daemon that has none. */
  readonly key: string | null
  /** It has given up its port: somebody else may have it by now. */
  readonly isStopping: boolean
}

export function daemonRecordPath(dataDir: string): string {
  return join(dataDir, 'daemon.json')
}

/** The record, or null when there is none that can be read, or when somebody else could have written it. */
export function readDaemonRecord(dataDir: string): DaemonRecord | null {
  const path = daemonRecordPath(dataDir)
  try {
    const stat = statSync(path)
    if (!stat.isFile() || stat.uid !== process.getuid?.() || (stat.mode & 0o022) !== 0) return null
    return parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    // Absent, torn or foreign: whoever asks goes on as if no daemon had been recorded.
    return null
  }
}

/** Whether the recorded process is alive and is the one that wrote the record, not a later one with its pid. */
export function isDaemonAlive(record: DaemonRecord): boolean {
  return record.processStart === null ? processExists(record.pid) : processStart(record.pid) === record.processStart
}

/** A token for the moment a process began; null where the system does not tell. */
export function processStart(pid: number): string | null {
  return livingProcess(pid)?.birth ?? null
}

function parse(value: unknown): DaemonRecord | null {
  if (!isFields(value)) return null
  const { pid, port, version, startedAt, processStart, key, isStopping } = value
  if (!Number.isSafeInteger(pid) || !Number.isSafeInteger(port) || typeof version !== 'string') return null
  return {
    pid: Number(pid),
    port: Number(port),
    version,
    startedAt: typeof startedAt === 'string' ? startedAt : '',
    processStart: typeof processStart === 'string' ? processStart : null,
    key: typeof key === 'string' && /^[\w-]+$/.test(key) ? key : null,
    isStopping: isStopping === true,
  }
}
