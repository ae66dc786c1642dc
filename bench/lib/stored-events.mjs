import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { log, openPostgres } from './engines.mjs'
import { TEXT } from './webhook.mjs'

/** Pages of events, and no more; and what has come in a year. Of all that is stored little is pending. */
export const SIZES = {
  small: { events: 300, pendingEvery: 5 },
  grown: { events: 1_000_000, pendingEvery: 100 },
}
const AT_ONCE = 10_000
/** Most are of one agent, the others of five. */
const OTHERS_EVERY = 7
const OTHERS = 5
const DAY_MS = 24 * 60 * 60 * 1000

/** Everything came and was dealt with yesterday. */
export function storedTimes({ EventIds }) {
  const at = Date.now() - DAY_MS
  return { at: new Date(at).toISOString(), prefix: new EventIds(null, () => at).next().slice(0, 'evt_'.length + 10) }
}

/** The id of the event of `default` that so many others of it follow. */
export function idBack({ events }, { prefix }, back) {
  let left = back
  for (let number = events - 1; ; number -= 1) {
    if (number % OTHERS_EVERY !== 0 && left-- === 0) return idOf(prefix, number)
  }
}

/** Through the engine, which seals each row. */
export async function fillSqlite({ Database, EVENTS, putRow }, folder, { events, pendingEvery }, { at, prefix }) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const database = new Database(join(folder, 'state.db'), log)
  const text = Buffer.from(TEXT)
  const put = (connection, number) => {
    const isPending = number % pendingEvery === 1
    putRow(connection, EVENTS, {
      id: idOf(prefix, number),
      agent_id: number % OTHERS_EVERY === 0 ? `agent-${number % OTHERS}` : 'default',
      received_at: at,
      source: 'webhook',
      text,
      status: isPending ? 'pending' : 'acked',
      acked_at: isPending ? null : at,
      hops: 0,
    })
  }
  for (let first = 0; first < events; first += AT_ONCE) {
    await database.write((connection) => {
      for (let number = first; number < Math.min(events, first + AT_ONCE); number += 1) put(connection, number)
    })
  }
  await database.close()
}

/** By the server itself, into the tables that the engine has made. */
export async function fillPostgres(engines, server, name, { events, pendingEvery }, { at, prefix }) {
  await (await openPostgres(engines, await server.database(name))).close()
  await server.sql(
    name,
    `INSERT INTO string.events (agent_id, id, received_at, source, text, acked_at, hops)
      SELECT CASE WHEN number % ${OTHERS_EVERY} = 0 THEN 'agent-' || number % ${OTHERS} ELSE 'default' END,
        '${prefix}' || lpad(number::text, 16, '0'), '${at}', 'webhook', '${TEXT}',
        CASE WHEN number % ${pendingEvery} = 1 THEN NULL ELSE '${at}' END, 0
      FROM generate_series(0, ${events - 1}) AS number`,
    `INSERT INTO string.agents (id, last_event_id, previous_event_id, changed_in)
      SELECT agent_id, max(id), '', pg_current_xact_id() FROM string.events GROUP BY agent_id`,
    // What the server does by itself a little later, and must not do while somebody measures.
    'VACUUM ANALYZE',
    'CHECKPOINT',
  )
}

function idOf(prefix, number) {
  return `${prefix}${String(number).padStart(16, '0')}`
}
