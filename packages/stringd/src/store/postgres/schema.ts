import { StoreRefused } from '../refused.ts'
import type { ServerLink, ServerRow } from './link.ts'

/** Of the texts that are compared the order is that of their bytes. Texts that may hold U+0000 are bytes. */
const FIRST = `
  CREATE TABLE string.agents (
    id text COLLATE "C" PRIMARY KEY,
    last_event_id text COLLATE "C" NOT NULL,
    previous_event_id text COLLATE "C" NOT NULL,
    changed_in xid8 NOT NULL);
  CREATE INDEX agents_by_change ON string.agents (changed_in, id);

  CREATE TABLE string.events (
    agent_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    received_at text COLLATE "C" NOT NULL,
    source text NOT NULL,
    text bytea NOT NULL,
    acked_at text COLLATE "C",
    hops integer NOT NULL,
    PRIMARY KEY (agent_id, id));
  CREATE INDEX events_pending ON string.events (agent_id, id) WHERE acked_at IS NULL;
  CREATE INDEX events_acked ON string.events (agent_id, id) WHERE acked_at IS NOT NULL;
  CREATE INDEX events_by_ack ON string.events (acked_at) WHERE acked_at IS NOT NULL;

  CREATE TABLE string.event_keys (
    agent_id text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    event_id text COLLATE "C" NOT NULL,
    used_at text COLLATE "C" NOT NULL,
    PRIMARY KEY (agent_id, key));
  CREATE INDEX event_keys_by_use ON string.event_keys (used_at);

  CREATE TABLE string.marks (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);

  CREATE TABLE string.deliveries (
    id text COLLATE "C" PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY,
    agent_id text COLLATE "C" NOT NULL,
    channel text NOT NULL,
    target text NOT NULL,
    text bytea NOT NULL,
    state text COLLATE "C" NOT NULL,
    tries integer NOT NULL,
    created_at text COLLATE "C" NOT NULL,
    next_at text COLLATE "C",
    reason text,
    claim bigint NOT NULL,
    holder text COLLATE "C",
    lease_until timestamptz);
  CREATE INDEX deliveries_waiting ON string.deliveries (next_at) WHERE state = 'waiting';
  CREATE INDEX deliveries_trying ON string.deliveries (lease_until) WHERE state = 'trying';
  CREATE INDEX deliveries_by_holder ON string.deliveries (holder) WHERE state = 'trying';
  CREATE INDEX deliveries_open ON string.deliveries (agent_id) WHERE state IN ('waiting', 'trying');
  CREATE INDEX deliveries_over ON string.deliveries (created_at) WHERE state IN ('sent', 'failed');
  CREATE INDEX deliveries_by_agent ON string.deliveries (agent_id, created_at, number);
  CREATE INDEX deliveries_by_time ON string.deliveries (created_at, number);`

const TURNS = `
  CREATE TABLE string.turns (
    id text COLLATE "C" PRIMARY KEY,
    agent_id text COLLATE "C" NOT NULL,
    session text COLLATE "C" NOT NULL,
    from_user text NOT NULL,
    source text NOT NULL,
    event_id text COLLATE "C",
    request_id text COLLATE "C",
    message bytea NOT NULL,
    attachments bytea NOT NULL,
    hops integer NOT NULL,
    state text COLLATE "C" NOT NULL,
    code text,
    attempt integer NOT NULL,
    created_at text COLLATE "C" NOT NULL,
    started_at text COLLATE "C",
    ended_at text COLLATE "C",
    next_at text COLLATE "C" NOT NULL,
    result bytea,
    usage bytea,
    claim bigint NOT NULL,
    holder text COLLATE "C",
    lease_until timestamptz);
  CREATE INDEX turns_of_agent ON string.turns (agent_id, id);
  CREATE INDEX turns_of_session ON string.turns (agent_id, session, id);
  CREATE INDEX turns_by_state ON string.turns (state, id);
  CREATE INDEX turns_open ON string.turns (id) WHERE state IN ('queued', 'running', 'waiting');
  CREATE INDEX turns_running ON string.turns (holder) WHERE state IN ('running', 'waiting');
  CREATE INDEX turns_by_start ON string.turns (agent_id, started_at);
  CREATE INDEX turns_by_end ON string.turns (ended_at) WHERE ended_at IS NOT NULL;
  CREATE UNIQUE INDEX turns_by_event ON string.turns (agent_id, event_id) WHERE event_id IS NOT NULL;

  CREATE TABLE string.turn_details (
    id text COLLATE "C" PRIMARY KEY, steps bytea NOT NULL, partial bytea NOT NULL, stderr bytea NOT NULL);

  CREATE TABLE string.turn_requests (
    agent_id text COLLATE "C" NOT NULL,
    request_id text COLLATE "C" NOT NULL,
    turn_id text COLLATE "C" NOT NULL,
    digest text NOT NULL,
    used_at text COLLATE "C" NOT NULL,
    PRIMARY KEY (agent_id, request_id));
  CREATE INDEX turn_requests_by_use ON string.turn_requests (used_at);

  CREATE TABLE string.agent_sessions (
    agent_id text COLLATE "C" NOT NULL,
    session text COLLATE "C" NOT NULL,
    session_id text,
    has_succeeded boolean NOT NULL,
    used_at text COLLATE "C" NOT NULL,
    PRIMARY KEY (agent_id, session));
  CREATE INDEX agent_sessions_by_use ON string.agent_sessions (agent_id, used_at);

  CREATE TABLE string.usage (
    day text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    session text COLLATE "C" NOT NULL,
    turns bigint NOT NULL,
    failed bigint NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    total_tokens bigint NOT NULL,
    cost_usd double precision NOT NULL,
    duration_ms bigint NOT NULL,
    PRIMARY KEY (agent_id, day, session));
  CREATE INDEX usage_by_day ON string.usage (day);`

const APPROVALS = `
  CREATE TABLE string.approvals (
    id text COLLATE "C" PRIMARY KEY,
    agent_id text COLLATE "C" NOT NULL,
    turn_id text COLLATE "C",
    state text COLLATE "C" NOT NULL,
    body bytea NOT NULL);
  CREATE INDEX approvals_of_agent ON string.approvals (agent_id, id);
  CREATE INDEX approvals_by_state ON string.approvals (state, id);
  CREATE INDEX approvals_of_turn ON string.approvals (turn_id, id);`

/**
 * Nodes, agents that live on one, and what nodes let each other know. Two turns of a session cannot run at once, whoever
 * claims them.
 */
const FLEET = `
  CREATE TABLE string.nodes (
    id text COLLATE "C" PRIMARY KEY,
    boot text NOT NULL,
    place text NOT NULL,
    name text COLLATE "C" NOT NULL,
    version text NOT NULL,
    state text COLLATE "C" NOT NULL,
    seen_at timestamptz NOT NULL);

  ALTER TABLE string.agents
    ADD COLUMN node_id text COLLATE "C",
    ADD COLUMN wanted_at text COLLATE "C",
    ADD COLUMN home text,
    ADD COLUMN profile text,
    ADD COLUMN allowed_paths text,
    ADD COLUMN created_at text,
    ADD COLUMN token text,
    ADD COLUMN token_digest text COLLATE "C",
    ADD COLUMN placement text COLLATE "C" NOT NULL DEFAULT 'home',
    ADD COLUMN when_busy text COLLATE "C" NOT NULL DEFAULT 'queue',
    ADD COLUMN signed_in xid8 NOT NULL DEFAULT '0';
  CREATE INDEX agents_by_node ON string.agents (node_id, id) WHERE node_id IS NOT NULL;
  CREATE INDEX agents_anywhere ON string.agents (id) WHERE placement = 'any';
  CREATE INDEX agents_anywhere_by_node ON string.agents (node_id) WHERE placement = 'any';
  CREATE INDEX agents_by_token ON string.agents (token_digest) WHERE token_digest IS NOT NULL;
  CREATE INDEX agents_by_sign ON string.agents (signed_in, id);

  ALTER TABLE string.turns
    ADD COLUMN ran_on text COLLATE "C",
    ADD COLUMN is_cancel_asked boolean NOT NULL DEFAULT false,
    ADD COLUMN is_followed boolean NOT NULL DEFAULT false;
  CREATE INDEX turns_open_of_agent ON string.turns (agent_id, id) WHERE state IN ('queued', 'running', 'waiting');
  CREATE INDEX turns_asked ON string.turns (agent_id, session, id) WHERE state = 'queued' AND event_id IS NULL;
  CREATE UNIQUE INDEX turns_one_at_a_time ON string.turns (agent_id, session) WHERE state IN ('running', 'waiting');
  CREATE INDEX turns_by_lease ON string.turns (lease_until) WHERE state IN ('running', 'waiting');

  CREATE TABLE string.turn_news (
    turn_id text COLLATE "C" NOT NULL,
    place bigint GENERATED ALWAYS AS IDENTITY,
    claim bigint NOT NULL,
    events bytea NOT NULL,
    PRIMARY KEY (turn_id, place));

  CREATE TABLE string.lost_runs (
    turn_id text COLLATE "C" NOT NULL,
    claim bigint NOT NULL,
    node_id text COLLATE "C" NOT NULL,
    started_at text NOT NULL,
    found_at text NOT NULL,
    PRIMARY KEY (turn_id, claim));

  ALTER TABLE string.version ADD COLUMN oldest integer, ADD COLUMN oldest_of integer;`

/** So that the few that failed are found among the many that did not, which pay nothing for it. */
const FAILED_DELIVERIES = `
  CREATE INDEX deliveries_failed ON string.deliveries (created_at, number) WHERE state = 'failed';
  CREATE INDEX deliveries_failed_of ON string.deliveries (agent_id, created_at, number) WHERE state = 'failed';`

/** The same for turns of which an earlier run may have failed. */
const RUN_AGAIN = `
  CREATE INDEX turns_again ON string.turns (id) WHERE claim > 1 OR (claim = 1 AND state IN ('queued', 'cancelled'));
  CREATE INDEX turns_again_of ON string.turns (agent_id, id)
    WHERE claim > 1 OR (claim = 1 AND state IN ('queued', 'cancelled'));`

/** Who or what asked for the end of a turn that another node runs. */
const CANCEL_REASONS = 'ALTER TABLE string.turns ADD COLUMN cancel_reason text'

/** Which turn gives a message to its agent again, said of both. */
const RETRIES = 'ALTER TABLE string.turns ADD COLUMN retry_of text, ADD COLUMN retried_by text'

/** What each version adds to the one before. Never change an entry that was released: add one. */
const MIGRATIONS: readonly string[] = [
  FIRST,
  TURNS,
  APPROVALS,
  FLEET,
  FAILED_DELIVERIES,
  RUN_AGAIN,
  CANCEL_REASONS,
  RETRIES,
]

/** The present version. */
export const SCHEMA_VERSION = MIGRATIONS.length

/**
 * The oldest version whose String can use the present schema, so that daemons can be brought up to date one after the other.
 * A step that only adds what may be missing leaves it as it is; any other makes it its own number.
 */
const OLDEST_USER = 4

/** Only one at a time brings the schema up to date. */
const SCHEMA_LOCK = '126879297335912'
/** A change of a large table takes its time; while it runs the store is away, and says so. */
const MIGRATION_MS = 60 * 60 * 1000

/** A table that the role may not use. */
export const NOT_OURS = `SELECT relname AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = 'string' AND relkind = 'r' AND relname <> 'version' AND NOT (
    has_table_privilege(pg_class.oid, 'SELECT') AND has_table_privilege(pg_class.oid, 'INSERT')
    AND has_table_privilege(pg_class.oid, 'UPDATE') AND has_table_privilege(pg_class.oid, 'DELETE')) LIMIT 1`

/** Asked of the tables themselves: what the server remembers of names may be older than the lock. */
const IS_MADE = `SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = 'string' AND relname = 'version'`

/** Brings the schema `string` to the present version (P6). One that a newer String has written is refused. */
export async function migrateSchema(link: ServerLink, until: number): Promise<void> {
  if ((await versionOf(link, until)) < MIGRATIONS.length) await bringUpToDate(link)
  const { rows } = await link.run(NOT_OURS, [], until)
  const [foreign] = rows
  if (foreign === undefined) return
  throw new StoreRefused(
    `The role may not use the table string.${String(foreign.name)}: GRANT ALL ON ALL TABLES IN SCHEMA string to it, or let it own the schema`,
  )
}

async function bringUpToDate(link: ServerLink): Promise<void> {
  const until = performance.now() + MIGRATION_MS
  const run = (text: string, values: readonly unknown[] = []): Promise<unknown> => link.run(text, values, until)
  await run('BEGIN')
  try {
    await run('SET LOCAL statement_timeout = 0')
    await run('SELECT pg_advisory_xact_lock($1)', [SCHEMA_LOCK])
    const from = await versionOf(link, until)
    if (from === 0) {
      const { count } = await link.run("SELECT 1 FROM pg_namespace WHERE nspname = 'string'", [], until)
      if (count === 0) await run('CREATE SCHEMA string')
      await run('CREATE TABLE string.version (version integer NOT NULL)')
      await run('INSERT INTO string.version VALUES (0)')
    }
    for (const step of MIGRATIONS.slice(from)) await run(step)
    await run('UPDATE string.version SET version = $1, oldest = $2, oldest_of = $1', [MIGRATIONS.length, OLDEST_USER])
    await run('COMMIT')
  } catch (error) {
    if (!link.isBroken) await run('ROLLBACK')
    throw error
  }
}

async function versionOf(link: ServerLink, until: number): Promise<number> {
  const made = await link.run(IS_MADE, [], until)
  if (made.count === 0) return 0
  // All columns: the oldest version has one of them.
  const stored = await link.run('SELECT * FROM string.version', [], until)
  const version = Number(stored.rows[0]?.version ?? 0)
  if (!isKnown(stored.rows[0])) {
    throw new StoreRefused(
      `The database was written by a newer String (version ${version}; this one knows ${MIGRATIONS.length}): update String here`,
    )
  }
  return version
}

/** Whether this String can use a schema: its own, an older one, or a newer one that says so. */
export function isKnown(row: ServerRow | undefined): boolean {
  const version = Number(row?.version ?? 0)
  if (version <= MIGRATIONS.length) return true
  // Said of this very version, and not of one before.
  return Number(row?.oldest_of ?? 0) === version && Number(row?.oldest ?? version) <= MIGRATIONS.length
}
