import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { familyMembers } from '@string-os/bridge/reap'
import { count } from '@string-os/protocol'
import { type DaemonRecord, readDaemonRecord } from '../../daemon-record.ts'
import { type Seen, seenOk, seenWarn } from '../../doctor/check.ts'

/** What a daemon that was killed has left: processes, and its record. */
export function leftovers(dataDir: string, living: DaemonRecord | null): Seen {
  if (living !== null) return seenOk('the daemon looks after what it starts')
  const id = idOf(dataDir)
  const pids = id === null ? [] : familyMembers({ owner: `${id}:` })
  const record = readDaemonRecord(dataDir)
  const killed = record === null ? 'a killed daemon' : `the daemon with pid ${record.pid} was killed and`
  if (pids.length > 0) {
    const shown = `${killed} has left ${count(pids.length, 'program')}: pid ${pids.slice(0, 10).join(', ')}`
    return seenWarn(shown, 'string start ends them')
  }
  if (record === null) return seenOk('none')
  return seenWarn(`the daemon with pid ${record.pid} was killed, its record is still there`, 'string start clears it')
}

/** The same where no daemon runs, for whoever asks how it stands; null after an orderly end. */
export function whatWasLeft(dataDir: string): string | null {
  const { state, seen } = leftovers(dataDir, null)
  return state === 'ok' ? null : seen
}

function idOf(dataDir: string): string | null {
  try {
    const id = readFileSync(join(dataDir, 'id'), 'utf8')
    return /^[0-9a-f]{32}$/.test(id) ? id : null
  } catch {
    // No daemon has been here, or the folder cannot be read, which is found elsewhere.
    return null
  }
}
