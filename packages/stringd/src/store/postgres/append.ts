import type { Appended, EventRow, NewEvent } from '../groups/events.ts'
import type { RisingIds } from '../rising-ids.ts'
import type { News } from '../store.ts'
import { columnText } from '../stored-rows.ts'
import type { ServerRow } from './link.ts'
import type { Run } from './run.ts'

/**
 * Stores events of any agents with one statement. Their ids were proposed before; they count when the row of the agent is
 * locked, which is until the commit, and when the agent has none that is greater: so events become visible in the order
 * of their ids (P2). Agents are locked in one order, so that no two wait for each other. A key that was used since then
 * keeps its event.
 */
export const APPEND = {
  name: 'append',
  text: `WITH given AS (
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::integer[], $7::text[], $8::text[])
        AS given (id, agent_id, received_at, source, text, hops, key, since)
    ), proposed AS (
      SELECT agent_id, min(id COLLATE "C") AS first, max(id COLLATE "C") AS last FROM given GROUP BY agent_id
    ), locked AS (
      INSERT INTO string.agents AS kept (id, last_event_id, previous_event_id, changed_in)
      SELECT agent_id, last, '', pg_current_xact_id() FROM proposed ORDER BY agent_id COLLATE "C"
      ON CONFLICT (id) DO UPDATE SET previous_event_id = kept.last_event_id, last_event_id = excluded.last_event_id,
        changed_in = excluded.changed_in
      WHERE kept.last_event_id < (SELECT first FROM proposed WHERE agent_id = excluded.id)
      RETURNING id, previous_event_id
    ), keys AS (
      INSERT INTO string.event_keys AS kept (agent_id, key, event_id, used_at)
      SELECT agent_id, key, given.id, received_at FROM given JOIN locked ON locked.id = agent_id WHERE key IS NOT NULL
      ON CONFLICT (agent_id, key) DO UPDATE SET (event_id, used_at) = (
        SELECT CASE WHEN kept.used_at < since THEN excluded.event_id ELSE kept.event_id END,
          CASE WHEN kept.used_at < since THEN excluded.used_at ELSE kept.used_at END
        FROM given WHERE given.id = excluded.event_id)
      RETURNING agent_id, key, event_id
    ), stored AS (
      INSERT INTO string.events (agent_id, id, received_at, source, text, hops)
      SELECT given.agent_id, given.id, received_at, source, text, hops
      FROM given JOIN locked ON locked.id = given.agent_id LEFT JOIN keys USING (agent_id, key)
      WHERE given.key IS NULL OR keys.event_id = given.id
    )
    SELECT given.id AS proposed, previous_event_id AS after, event_id AS first
    FROM given LEFT JOIN locked ON locked.id = given.agent_id LEFT JOIN keys USING (agent_id, key)`,
} as const

/** The same for one event without a key, as most come: the server needs half as long for it. */
export const APPEND_ONE = {
  name: 'append_one',
  text: `WITH locked AS (
      INSERT INTO string.agents AS kept (id, last_event_id, previous_event_id, changed_in)
      VALUES ($2, $1, '', pg_current_xact_id())
      ON CONFLICT (id) DO UPDATE SET previous_event_id = kept.last_event_id, last_event_id = excluded.last_event_id,
        changed_in = excluded.changed_in
      WHERE kept.last_event_id < excluded.last_event_id
      RETURNING previous_event_id
    ), stored AS (
      INSERT INTO string.events (agent_id, id, received_at, source, text, hops)
      SELECT $2, $1, $3, $4, $5, $6 FROM locked
    )
    SELECT previous_event_id AS after FROM locked`,
} as const

/** Holds the agents until the transaction ends, so that ids above their last stay above it. */
export const LOCK_AGENTS = {
  name: 'lock_agents',
  text: 'SELECT last_event_id FROM string.agents WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE',
} as const

/** An event, and the last one of its agent before it. */
export interface Placed {
  readonly appended: Appended
  readonly after: string
}

/** What became of each event; null: another daemon has given the agent a greater id than the one proposed. */
export async function appendEvents(run: Run, ids: RisingIds, events: readonly NewEvent[]): Promise<(Placed | null)[]> {
  const [only] = events
  if (only?.key === null && events.length === 1) return [await appendOne(run, ids, only)]
  const firsts = firstOfEachKey(events)
  const given = events.filter((_, index) => firsts[index] === index)
  const rows = given.map((event) => rowOf(ids.next(), event))
  const { rows: answers } = await run(APPEND, columnsOf(rows, given))
  const placed = new Map(answers.map((answer) => [String(answer.proposed), answer]))
  const fresh = new Map(given.map((event, index) => [event, placedOf(placed, rows[index])]))
  return events.map((event, index) => {
    const first = firsts[index] ?? index
    const found = fresh.get(events[first] ?? event) ?? null
    return first === index || found === null ? found : { ...found, appended: { id: found.appended.id, event: null } }
  })
}

async function appendOne(run: Run, ids: RisingIds, event: NewEvent): Promise<Placed | null> {
  const row = rowOf(ids.next(), event)
  const { id, agentId, receivedAt, source, text, hops } = row
  const { rows } = await run(APPEND_ONE, [id, agentId, receivedAt, source, Buffer.from(text), hops])
  const after = columnText(rows[0]?.after)
  return after === null ? null : { appended: { id, event: row }, after }
}

/** The same in a transaction, where it always succeeds. */
export async function appendLocked(run: Run, ids: RisingIds, events: readonly NewEvent[]): Promise<Placed[]> {
  const agents = [...new Set(events.map(({ agentId }) => agentId))]
  const { rows } = await run(LOCK_AGENTS, [agents])
  for (const row of rows) ids.above(String(row.last_event_id))
  const placed = await appendEvents(run, ids, events)
  return placed.map((each) => {
    if (each === null) throw new Error('An agent that was locked got another event')
    return each
  })
}

/** What listeners hear of events that were stored together: for each agent once, in the order of their ids. */
export function newsOf(placed: readonly Placed[]): News[] {
  const byAgent = new Map<string, { after: string; events: EventRow[] }>()
  for (const { appended, after } of placed) {
    if (appended.event === null) continue
    const news = byAgent.get(appended.event.agentId)
    if (news === undefined) byAgent.set(appended.event.agentId, { after, events: [appended.event] })
    else news.events.push(appended.event)
  }
  return [...byAgent].map(([agentId, news]) => ({ agentId, ...news }))
}

/** For each event the index of the first with its key. */
function firstOfEachKey(events: readonly NewEvent[]): number[] {
  const seen = new Map<string, number>()
  return events.map(({ agentId, key }, index) => {
    if (key === null) return index
    const name = `${agentId}\0${key.name}`
    const first = seen.get(name) ?? index
    seen.set(name, first)
    return first
  })
}

function rowOf(id: string, { agentId, receivedAt, source, text, hops }: NewEvent): EventRow {
  return { id, agentId, receivedAt, source, text, status: 'pending', ackedAt: null, hops }
}

function columnsOf(rows: readonly EventRow[], given: readonly NewEvent[]): unknown[] {
  return [
    rows.map(({ id }) => id),
    rows.map(({ agentId }) => agentId),
    rows.map(({ receivedAt }) => receivedAt),
    rows.map(({ source }) => source),
    rows.map(({ text }) => Buffer.from(text)),
    rows.map(({ hops }) => hops),
    given.map(({ key }) => key?.name ?? null),
    given.map(({ key }) => key?.since ?? null),
  ]
}

function placedOf(answers: ReadonlyMap<string, ServerRow>, row: EventRow | undefined): Placed | null {
  const answer = answers.get(row?.id ?? '')
  const after = columnText(answer?.after)
  if (row === undefined || after === null) return null
  const first = columnText(answer?.first) ?? row.id
  return { appended: { id: first, event: first === row.id ? row : null }, after }
}
