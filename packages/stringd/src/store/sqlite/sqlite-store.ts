import type { Log } from '../../log.ts'
import { ALONE_AGENTS, ALONE_NODES, ALONE_RELAY } from '../alone.ts'
import { EventIds } from '../event-id.ts'
import { LAST_ID } from '../own-marks.ts'
import type { Groups, News, Store } from '../store.ts'
import type { Access } from './access.ts'
import { sqliteAgentSessions } from './agent-sessions.ts'
import { sqliteApprovals } from './approvals.ts'
import type { Connection } from './connection.ts'
import { Database } from './database.ts'
import { sqliteDeliveries } from './deliveries.ts'
import { type EventParts, lastEventOf, sqliteEvents } from './events.ts'
import { markOf, sqliteMarks } from './marks.ts'
import { EVENTS } from './schema.ts'
import { countRows, isWhole, sealedRows } from './sealed-row.ts'
import { sqliteTurns } from './turns.ts'
import { sqliteUsage } from './usage.ts'

export interface SqliteOptions {
  readonly log: Log
  readonly now?: () => number
}

/** One SQLite file, which only this process opens. What it answers is there without waiting. */
export function openSqlite(path: string, { log, now = Date.now }: SqliteOptions): Store {
  const database = new Database(path, log)
  const listeners = new Set<(news: News) => void>()
  const tell = (news: News): void => {
    for (const listener of listeners) listener(news)
  }
  const own = { ids: new EventIds(lastEventId(database), now), lastOf: new Map<string, string>() }
  const groups = (access: Access, told: EventParts['tell']): Groups => ({
    agents: { ...ALONE_AGENTS, lastEventId: async (agentId) => lastEventOf(own, agentId) },
    events: sqliteEvents(access, { ...own, tell: told }),
    deliveries: sqliteDeliveries(access, now),
    marks: sqliteMarks(access),
    turns: sqliteTurns(access, now),
    sessions: sqliteAgentSessions(access),
    usage: sqliteUsage(access),
    nodes: ALONE_NODES,
    relay: ALONE_RELAY,
    approvals: sqliteApprovals(access),
  })
  return {
    kind: 'sqlite',
    where: path,
    state: () => ({ ok: true }),
    ...groups(database, tell),
    transaction: async (change) => {
      const { value, news } = await database.write(async (connection) => {
        const heard: News[] = []
        const part = new Part(connection)
        const value = await change(groups(part, (one) => void heard.push(one))).finally(() => part.end())
        return { value, news: heard }
      })
      for (const one of news) tell(one)
      return value
    },
    onNews: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onSign: () => () => undefined,
    close: () => database.close(),
  }
}

/** The groups as parts of one transaction. */
class Part implements Access {
  readonly #connection: Connection
  #isOver = false

  constructor(connection: Connection) {
    this.#connection = connection
  }

  readonly rows: Access['rows'] = (table, rest, ...values) =>
    sealedRows(this.#open(), table, rest, ...values).filter((row) => isWhole(table, row))

  readonly peek: Access['peek'] = ({ name }, columns, rest, ...values) =>
    this.#open().select(columns, `FROM ${name} ${rest}`, ...values)

  readonly count: Access['count'] = (table, limit, rest, ...values) =>
    countRows(this.#open(), table, limit, rest, ...values)

  readonly write: Access['write'] = async (change, stored) => {
    const value = change(this.#open())
    stored?.(value)
    return value
  }

  end(): void {
    this.#isOver = true
  }

  #open(): Connection {
    if (this.#isOver) throw new Error('The transaction is over')
    return this.#connection
  }
}

function lastEventId(database: Database): string | null {
  const last = String(database.rows(EVENTS, 'ORDER BY id DESC LIMIT 1')[0]?.id ?? '')
  const mark = markOf(database, LAST_ID) ?? ''
  return (mark > last ? mark : last) || null
}
