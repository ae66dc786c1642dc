import { createLog } from '../../../src/log.ts'
import type { NewEvent } from '../../../src/store/groups/events.ts'
import { openPostgres } from '../../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { closedAfter } from '../engines.ts'

interface OpenedStore {
  readonly store: Store
  /** Everything that was logged, and what ended it after its start. */
  readonly lines: string[]
  readonly fatal: Error[]
}

/** A store at an address, closed with the test. */
export async function openAt(url: string, now?: () => number): Promise<OpenedStore> {
  const lines: string[] = []
  const fatal: Error[] = []
  const log = createLog((line) => void lines.push(line))
  const options = { log, onFatal: (error: Error) => void fatal.push(error), ...(now === undefined ? {} : { now }) }
  const store = closedAfter(await openPostgres(url, options))
  return { store, lines, fatal }
}

export function eventFor(agentId: string, text: string, key: string | null = null): NewEvent {
  const receivedAt = '2026-01-02T03:04:05.000Z'
  return {
    agentId,
    receivedAt,
    source: 'test',
    text,
    hops: 0,
    key: key === null ? null : { name: key, since: receivedAt },
  }
}
