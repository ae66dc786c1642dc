import { LIMITS } from '@string-os/protocol'

/**
 * What a value is, whatever an engine keeps it as: a `holder` that is nobody and a `moment` that never comes are null, and
 * a moment is in milliseconds.
 */
export type ArchiveType = 'text' | 'bytes' | 'integer' | 'real' | 'flag' | 'holder' | 'moment'

export type ArchiveValue = string | number | bigint | boolean | null | Uint8Array

export type ArchiveRow = Readonly<Record<string, ArchiveValue>>

export interface ArchiveTable {
  readonly name: string
  readonly columns: Readonly<Record<string, ArchiveType>>
}

/** What a part of a table holds, in the engine's own order. */
export interface ArchivePage {
  readonly rows: readonly ArchiveRow[]
  /** Where the next part begins; null after the last one. */
  readonly next: string | null
  /** Rows that are not what was stored. */
  readonly damaged: number
}

/** All that a store holds, in the form that every engine understands, for whoever has the store to itself. */
export interface Archive {
  /** Without a password. */
  readonly where: string
  count(table: ArchiveTable): Promise<number>
  /** A part of bounded size, from the beginning or from where an earlier one ended. */
  page(table: ArchiveTable, from: string | null): Promise<ArchivePage>
  /** Adds rows in this order, and says how far it is: both or neither. */
  add(table: ArchiveTable, rows: readonly ArchiveRow[], progress: string): Promise<void>
  /** Empties a table, and says how far it is. */
  clear(table: ArchiveTable, progress: string): Promise<void>
  /** What was said last about a copy that has not ended; null when there is none. */
  progress(): Promise<string | null>
  /** The greatest id that an event ever had, or a greater one. */
  lastEventId(): Promise<string>
  /** All is there: no later event gets an id up to this one, and nothing is said any more about how far it is. */
  finish(lastEventId: string): Promise<void>
  /** Damaged rows that were found before. */
  countSetAside(): Promise<number>
  close(): Promise<void>
}

/** What is copied. A table or a column of an engine that is not here is one that the engine has by itself. */
export const ARCHIVE_TABLES: readonly ArchiveTable[] = [
  {
    name: 'events',
    columns: { ...texts('agent_id id received_at source acked_at'), text: 'bytes', hops: 'integer' },
  },
  { name: 'event_keys', columns: texts('agent_id key event_id used_at') },
  { name: 'marks', columns: texts('name value') },
  {
    name: 'deliveries',
    columns: {
      ...texts('id agent_id channel target state created_at next_at reason'),
      text: 'bytes',
      tries: 'integer',
      claim: 'integer',
      holder: 'holder',
      lease_until: 'moment',
    },
  },
  {
    name: 'turns',
    columns: {
      ...texts('id agent_id session from_user source event_id request_id state code'),
      ...texts('created_at started_at ended_at next_at retry_of retried_by'),
      message: 'bytes',
      attachments: 'bytes',
      result: 'bytes',
      usage: 'bytes',
      hops: 'integer',
      attempt: 'integer',
      claim: 'integer',
      holder: 'holder',
      lease_until: 'moment',
    },
  },
  { name: 'turn_details', columns: { id: 'text', steps: 'bytes', partial: 'bytes', stderr: 'bytes' } },
  { name: 'turn_requests', columns: texts('agent_id request_id turn_id digest used_at') },
  { name: 'agent_sessions', columns: { ...texts('agent_id session session_id used_at'), has_succeeded: 'flag' } },
  {
    name: 'usage',
    columns: {
      ...texts('day agent_id session'),
      turns: 'integer',
      failed: 'integer',
      input_tokens: 'integer',
      output_tokens: 'integer',
      total_tokens: 'integer',
      cost_usd: 'real',
      duration_ms: 'integer',
    },
  },
  { name: 'approvals', columns: { ...texts('id agent_id turn_id state'), body: 'bytes' } },
]

/** The columns whose size nobody knows beforehand. */
export function largeColumns({ columns }: ArchiveTable): string[] {
  return Object.keys(columns).filter((column) => columns[column] === 'bytes')
}

/** Of rows with these sizes, how many make a part. One is always enough. */
export function rowsOfPage(sizes: readonly number[]): number {
  let bytes = 0
  const tooMuch = sizes.findIndex((size) => {
    bytes += size
    return bytes > LIMITS.storeCopyBytes
  })
  return tooMuch === -1 ? sizes.length : Math.max(1, tooMuch)
}

function texts(names: string): Record<string, ArchiveType> {
  return Object.fromEntries(names.split(' ').map((name) => [name, 'text']))
}
