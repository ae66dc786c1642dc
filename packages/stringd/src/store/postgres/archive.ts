import { LIMITS } from '@string-os/protocol'
import {
  type Archive,
  type ArchivePage,
  type ArchiveRow,
  type ArchiveTable,
  type ArchiveType,
  type ArchiveValue,
  largeColumns,
  rowsOfPage,
} from '../archive.ts'
import { COPY_PROGRESS, LAST_ID } from '../own-marks.ts'
import { columnText } from '../stored-rows.ts'
import { type Alone, tryAlone } from './alone.ts'
import type { ServerRow } from './link.ts'
import { MARK_QUERIES } from './marks.ts'

/** By an index, and such that what is stored in this order is in the same order there. */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  events: ['agent_id', 'id'],
  event_keys: ['agent_id', 'key'],
  marks: ['name'],
  deliveries: ['created_at', 'number'],
  turns: ['id'],
  turn_details: ['id'],
  approvals: ['id'],
  turn_requests: ['agent_id', 'request_id'],
  agent_sessions: ['agent_id', 'session'],
  usage: ['agent_id', 'day', 'session'],
}

/** How a column is asked for, what it is given as, and how it is stored. */
interface ColumnForm {
  readonly asked: (column: string) => string
  readonly array: string
  readonly stored: (column: string) => string
}

const plain = (array: string): ColumnForm => ({ asked: (column) => column, array, stored: (column) => column })

const FORMS: Readonly<Record<ArchiveType, ColumnForm>> = {
  text: plain('text[]'),
  holder: plain('text[]'),
  bytes: plain('bytea[]'),
  integer: plain('bigint[]'),
  real: plain('double precision[]'),
  flag: plain('boolean[]'),
  moment: {
    asked: (column) => `(1000 * extract(epoch FROM date_trunc('milliseconds', ${column})))::bigint`,
    array: 'bigint[]',
    stored: (column) => `timestamptz 'epoch' + ${column} * interval '1 millisecond'`,
  },
}

/** The store at an address, which nobody else uses as long as this is open. Rejects with the reason while somebody does. */
export async function openPostgresArchive(address: string): Promise<Archive> {
  return new PostgresArchive(await tryAlone(address))
}

class PostgresArchive implements Archive {
  readonly where: string
  readonly #alone: Alone

  constructor(alone: Alone) {
    this.where = alone.where
    this.#alone = alone
  }

  count = async ({ name }: ArchiveTable): Promise<number> => {
    const [row] = await this.#alone.rows(`SELECT count(*) AS rows FROM string.${name}`)
    return Number(row?.rows)
  }

  page = async (table: ArchiveTable, from: string | null): Promise<ArchivePage> => {
    const order = orderOf(table)
    const after = from === null ? null : (JSON.parse(from) as string[])
    const asked = Object.entries(table.columns).map(([name, type]) => `${FORMS[type].asked(name)} AS "${name}"`)
    const place = order.map((name, index) => `${name}::text AS "place ${index}"`)
    const rows = await this.#next(table, [...asked, ...place].join(', '), after, await this.#rowsAfter(table, after))
    const last = rows.at(-1)
    return {
      rows: rows.map((row) => archived(table, row)),
      next: last === undefined ? null : JSON.stringify(order.map((_, index) => String(last[`place ${index}`]))),
      damaged: 0,
    }
  }

  add = async (table: ArchiveTable, rows: readonly ArchiveRow[], progress: string): Promise<void> => {
    const columns = Object.entries(table.columns)
    const names = columns.map(([name]) => name).join(', ')
    const arrays = columns.map(([, type], index) => `$${index + 1}::${FORMS[type].array}`).join(', ')
    const stored = columns.map(([name, type]) => FORMS[type].stored(name)).join(', ')
    const values = columns.map(([name]) => rows.map((row) => given(row[name])))
    const insert = `INSERT INTO string.${table.name} (${names})
      SELECT ${stored} FROM unnest(${arrays}) WITH ORDINALITY AS given (${names}, place) ORDER BY place`
    await this.#change(async () => {
      if (rows.length > 0) await this.#alone.rows(insert, values)
      await this.#alone.rows(MARK_QUERIES.put.text, [COPY_PROGRESS, progress])
    })
  }

  clear = async ({ name }: ArchiveTable, progress: string): Promise<void> =>
    this.#change(async () => {
      const all = name === 'marks' ? `DELETE FROM string.marks WHERE name <> '${LAST_ID}'` : `TRUNCATE string.${name}`
      await this.#alone.rows(all)
      await this.#alone.rows(MARK_QUERIES.put.text, [COPY_PROGRESS, progress])
    })

  progress = async (): Promise<string | null> => {
    const [row] = await this.#alone.rows(MARK_QUERIES.get.text, [COPY_PROGRESS])
    return row === undefined ? null : String(row.value)
  }

  lastEventId = async (): Promise<string> => {
    const [row] = await this.#alone.rows(
      `SELECT greatest((SELECT max(last_event_id) FROM string.agents),
        (SELECT value COLLATE "C" FROM string.marks WHERE name = $1)) AS last`,
      [LAST_ID],
    )
    return columnText(row?.last) ?? ''
  }

  /** The mark is for agents that have no events now. */
  finish = async (lastEventId: string): Promise<void> => {
    const before = await this.lastEventId()
    const last = lastEventId > before ? lastEventId : before
    await this.#change(async () => {
      if (last !== '') await this.#alone.rows(MARK_QUERIES.put.text, [LAST_ID, last])
      await this.#alone.rows(
        `INSERT INTO string.agents AS kept (id, last_event_id, previous_event_id, changed_in)
        SELECT DISTINCT agent_id, $1, '', pg_current_xact_id() FROM string.events
        ON CONFLICT (id) DO UPDATE SET last_event_id = excluded.last_event_id, changed_in = excluded.changed_in`,
        [last],
      )
      await this.#alone.rows(MARK_QUERIES.remove.text, [COPY_PROGRESS])
    })
  }

  countSetAside = async (): Promise<number> => 0

  close = async (): Promise<void> => this.#alone.end()

  async #rowsAfter(table: ArchiveTable, after: readonly string[] | null): Promise<number> {
    const large = largeColumns(table)
    if (large.length === 0) return LIMITS.storeCopyRows
    const size = large.map((name) => `coalesce(octet_length(${name}), 0)`).join(' + ')
    const rows = await this.#next(table, `${size} AS bytes`, after, LIMITS.storeCopyRows)
    return rowsOfPage(rows.map(({ bytes }) => Number(bytes)))
  }

  #next(
    table: ArchiveTable,
    asked: string,
    after: readonly string[] | null,
    limit: number,
  ): Promise<readonly ServerRow[]> {
    const order = orderOf(table)
    const places = order.map((_, index) => `$${index + 2}`).join(', ')
    const where = after === null ? '' : `WHERE (${order.join(', ')}) > (${places})`
    const text = `SELECT ${asked} FROM string.${table.name} ${where} ORDER BY ${order.join(', ')} LIMIT $1`
    return this.#alone.rows(text, [limit, ...(after ?? [])])
  }

  async #change(change: () => Promise<void>): Promise<void> {
    await this.#alone.rows('BEGIN')
    try {
      await change()
      await this.#alone.rows('COMMIT')
    } catch (error) {
      // With its connection the transaction is gone too.
      await this.#alone.rows('ROLLBACK').catch(() => undefined)
      throw error
    }
  }
}

function orderOf({ name }: ArchiveTable): readonly string[] {
  const order = ORDER[name]
  if (order === undefined) throw new Error(`PostgreSQL has no order of ${name}`)
  return order
}

function archived({ columns }: ArchiveTable, row: ServerRow): ArchiveRow {
  return Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, archivedValue(type, row[name])]))
}

function archivedValue(type: ArchiveType, value: unknown): ArchiveValue {
  if (type === 'integer' || type === 'moment') return integerOf(value)
  if (type === 'bytes') return Buffer.isBuffer(value) ? value : null
  if (type === 'flag') return value === true
  return type === 'real' ? Number(value) : columnText(value)
}

/** The library gives a bigint as text. */
function integerOf(value: unknown): ArchiveValue {
  if (typeof value !== 'string') return typeof value === 'number' ? value : null
  const whole = BigInt(value)
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole
}

/** A bytea of an array must be a buffer of the library's own kind; a bigint has no form of its own. */
function given(value: ArchiveValue = null): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value)
  return typeof value === 'bigint' ? String(value) : value
}
