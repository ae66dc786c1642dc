import { type Connection, damageError, type Row } from './connection.ts'
import { isWhole, sealedRows, sealRowAgain, type Table } from './sealed-row.ts'
import type { ColumnValue } from './value.ts'

export const EVENTS: Table = {
  name: 'events',
  columns: ['id', 'agent_id', 'received_at', 'source', 'text', 'status', 'acked_at', 'hops'],
}

/** Which event a key of the sender stands for; the event itself may be gone already. */
export const EVENT_KEYS: Table = { name: 'event_keys', columns: ['agent_id', 'key', 'event_id', 'used_at'] }

/** Facts that outlive the rows they come from. */
export const MARKS: Table = { name: 'marks', columns: ['name', 'value'] }

/** Messages to other channels. `next_at` is when one that waits is tried again, `lease_until` the end of a claim in ms. */
export const DELIVERIES: Table = {
  name: 'deliveries',
  columns: 'id agent_id channel target text state tries created_at next_at reason holder claim lease_until'.split(' '),
  added: { holder: '', claim: 0, lease_until: 0 },
}

/** Turns without what only one of them is asked for. */
export const TURNS: Table = {
  name: 'turns',
  columns:
    'id agent_id session from_user source event_id request_id message attachments hops state code attempt created_at started_at ended_at next_at result usage holder claim lease_until retry_of retried_by'.split(
      ' ',
    ),
  added: { retry_of: null, retried_by: null },
}

export const TURN_DETAILS: Table = { name: 'turn_details', columns: ['id', 'steps', 'partial', 'stderr'] }

export const TURN_REQUESTS: Table = {
  name: 'turn_requests',
  columns: ['agent_id', 'request_id', 'turn_id', 'digest', 'used_at'],
}

export const AGENT_SESSIONS: Table = {
  name: 'agent_sessions',
  columns: ['agent_id', 'session', 'session_id', 'has_succeeded', 'used_at'],
}

export const USAGE: Table = {
  name: 'usage',
  columns: 'day agent_id session turns failed input_tokens output_tokens total_tokens cost_usd duration_ms'.split(' '),
}

/** Questions to people; the body is JSON. */
export const APPROVALS: Table = { name: 'approvals', columns: ['id', 'agent_id', 'turn_id', 'state', 'body'] }

export const TABLES: readonly Table[] = [
  EVENTS,
  EVENT_KEYS,
  MARKS,
  DELIVERIES,
  TURNS,
  TURN_DETAILS,
  TURN_REQUESTS,
  AGENT_SESSIONS,
  USAGE,
  APPROVALS,
]

/** What each version adds to the one before. Never change an entry that was released: add one. */
const MIGRATIONS: readonly (string | ((connection: Connection) => void))[] = [
  `CREATE TABLE events (
     id TEXT NOT NULL UNIQUE, agent_id TEXT NOT NULL, received_at TEXT NOT NULL, source TEXT NOT NULL, text BLOB NOT NULL,
     status TEXT NOT NULL, acked_at TEXT, hops INTEGER NOT NULL, checksum INTEGER NOT NULL);
   CREATE INDEX events_by_agent ON events (agent_id, status, id);
   CREATE TABLE event_keys (
     agent_id TEXT NOT NULL, key TEXT NOT NULL, event_id TEXT NOT NULL, used_at TEXT NOT NULL, checksum INTEGER NOT NULL,
     UNIQUE (agent_id, key));
   CREATE TABLE marks (name TEXT NOT NULL UNIQUE, value TEXT NOT NULL, checksum INTEGER NOT NULL);
   CREATE TABLE damaged_rows (found_at TEXT NOT NULL, table_name TEXT NOT NULL, row TEXT NOT NULL);`,
  `CREATE TABLE deliveries (
     id TEXT NOT NULL UNIQUE, agent_id TEXT NOT NULL, channel TEXT NOT NULL, target TEXT NOT NULL, text BLOB NOT NULL,
     state TEXT NOT NULL, tries INTEGER NOT NULL, created_at TEXT NOT NULL, next_at TEXT, reason TEXT, checksum INTEGER NOT NULL);
   CREATE INDEX deliveries_by_state ON deliveries (state, next_at);
   CREATE INDEX deliveries_by_agent ON deliveries (agent_id, state, created_at);`,
  (connection) => {
    connection.exec(`
      CREATE INDEX events_by_ack ON events (acked_at) WHERE status = 'acked';
      CREATE INDEX event_keys_by_use ON event_keys (used_at);
      CREATE INDEX deliveries_by_time ON deliveries (created_at);
      CREATE INDEX deliveries_of_agent ON deliveries (agent_id, created_at);
      ALTER TABLE deliveries ADD COLUMN holder TEXT NOT NULL DEFAULT '';
      ALTER TABLE deliveries ADD COLUMN claim INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE deliveries ADD COLUMN lease_until INTEGER NOT NULL DEFAULT 0;`)
    sealAgain(connection, DELIVERIES)
  },
  // Everything about the tables fits into the first page of the file: were it spread, one damaged page could cost all rows.
  `CREATE TABLE turns(id UNIQUE,agent_id,session,from_user,source,event_id,request_id,message,attachments,hops,state,code,attempt,created_at,started_at,ended_at,next_at,result,usage,holder,claim,lease_until,checksum);
   CREATE INDEX turns_1 ON turns(agent_id,id);
   CREATE INDEX turns_2 ON turns(agent_id,session,id);
   CREATE INDEX turns_3 ON turns(state,id);
   CREATE INDEX turns_4 ON turns(agent_id,started_at);
   CREATE INDEX turns_5 ON turns(ended_at);
   CREATE UNIQUE INDEX turns_6 ON turns(agent_id,event_id);
   CREATE TABLE turn_details(id UNIQUE,steps,partial,stderr,checksum);
   CREATE TABLE turn_requests(agent_id,request_id,turn_id,digest,used_at,checksum,UNIQUE(agent_id,request_id));
   CREATE INDEX requests_1 ON turn_requests(used_at);
   CREATE TABLE agent_sessions(agent_id,session,session_id,has_succeeded,used_at,checksum,UNIQUE(agent_id,session));
   CREATE TABLE usage(day,agent_id,session,turns,failed,input_tokens,output_tokens,total_tokens,cost_usd,duration_ms,checksum,UNIQUE(agent_id,day,session));
   CREATE INDEX usage_1 ON usage(day);`,
  // What was written at length is written anew, so that there is room for more in that page.
  `DROP INDEX deliveries_by_state;
   DROP INDEX deliveries_by_agent;
   DROP INDEX deliveries_by_time;
   DROP INDEX deliveries_of_agent;
   ALTER TABLE deliveries RENAME TO earlier;
   CREATE TABLE deliveries(id UNIQUE,agent_id,channel,target,text,state,tries,created_at,next_at,reason,holder,claim,lease_until,checksum);
   INSERT INTO deliveries SELECT id,agent_id,channel,target,text,state,tries,created_at,next_at,reason,holder,claim,lease_until,checksum FROM earlier ORDER BY rowid;
   DROP TABLE earlier;
   CREATE INDEX d1 ON deliveries(state,next_at);
   CREATE INDEX d2 ON deliveries(agent_id,state,created_at);
   CREATE INDEX d3 ON deliveries(created_at);
   CREATE INDEX d4 ON deliveries(agent_id,created_at);
   ALTER TABLE marks RENAME TO earlier;
   CREATE TABLE marks(name UNIQUE,value,checksum);
   INSERT INTO marks SELECT name,value,checksum FROM earlier ORDER BY rowid;
   DROP TABLE earlier;
   CREATE TABLE approvals(id UNIQUE,agent_id,turn_id,state,body,checksum);
   CREATE INDEX a1 ON approvals(agent_id,id);
   CREATE INDEX a2 ON approvals(state,id);
   CREATE INDEX a3 ON approvals(turn_id,id);`,
  `CREATE INDEX t7 ON turns(agent_id,id)WHERE(claim > 1 OR (claim = 1 AND state IN ('queued', 'cancelled')));`,
  (connection) => {
    connection.exec('ALTER TABLE turns ADD COLUMN retry_of; ALTER TABLE turns ADD COLUMN retried_by')
    sealAgain(connection, TURNS)
  },
]

/** The present version. */
export const FILE_VERSION = MIGRATIONS.length

/** The table as a file of an earlier version has it. */
export function earlierTable({ name, columns, added = {} }: Table): Table {
  return { name, columns: columns.filter((column) => !(column in added)) }
}

/** After columns were added: rows that were whole without them are whole with them. */
function sealAgain(connection: Connection, table: Table): void {
  const earlier = earlierTable(table)
  const page = (after: ColumnValue): Row[] =>
    sealedRows(connection, earlier, 'WHERE rowid > ? ORDER BY rowid LIMIT 20', after)
  for (let rows = page(0); rows.length > 0; rows = page(rows.at(-1)?.rowid ?? 0)) {
    for (const row of rows.filter((found) => isWhole(earlier, found)))
      sealRowAgain(connection, table, { ...row, ...table.added })
  }
}

/** Brings a file to the present version. One that a newer String has written is refused. */
export function migrate(connection: Connection): void {
  const from = Number(connection.select(['user_version'], 'FROM pragma_user_version')[0]?.user_version ?? 0)
  if (from < 0) throw damageError(`Version ${from}`)
  if (from > MIGRATIONS.length) {
    throw new Error(
      `${connection.path} was written by a newer String (version ${from}; this one knows ${MIGRATIONS.length})`,
    )
  }
  if (from === MIGRATIONS.length) return
  connection.exec('BEGIN IMMEDIATE')
  for (const step of MIGRATIONS.slice(from)) {
    if (typeof step === 'string') connection.exec(step)
    else step(connection)
  }
  connection.exec(`PRAGMA user_version = ${MIGRATIONS.length}`)
  connection.exec('COMMIT')
}
