import { DELIVERY_STATES, LIMITS } from '@string-os/protocol'
import { Client } from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { hasPostgres, postgresServer } from '../../../../../test/support/postgres.ts'
import type { ApprovalQuery } from '../../../src/store/groups/approvals.ts'
import type { TurnQuery } from '../../../src/store/groups/turns.ts'
import { SESSION_QUERIES } from '../../../src/store/postgres/agent-sessions.ts'
import { AGENT_QUERIES } from '../../../src/store/postgres/agents.ts'
import { APPEND, APPEND_ONE, LOCK_AGENTS } from '../../../src/store/postgres/append.ts'
import { APPROVAL_QUERIES, approvalListQuery } from '../../../src/store/postgres/approvals.ts'
import { DELIVERY_QUERIES, deliveryListQuery } from '../../../src/store/postgres/deliveries.ts'
import { EVENT_QUERIES } from '../../../src/store/postgres/events.ts'
import { BY_INDEX, type Query } from '../../../src/store/postgres/link.ts'
import { MARK_QUERIES } from '../../../src/store/postgres/marks.ts'
import { CHANGED_AGENTS, HORIZON, SIGNED_AGENTS } from '../../../src/store/postgres/news.ts'
import { NODE_QUERIES } from '../../../src/store/postgres/nodes.ts'
import { openPostgres } from '../../../src/store/postgres/postgres-store.ts'
import { RELAY_QUERIES } from '../../../src/store/postgres/relay.ts'
import { listQuery, TURN_QUERIES } from '../../../src/store/postgres/turns.ts'
import { USAGE_QUERIES } from '../../../src/store/postgres/usage.ts'
import { silent } from '../engines.ts'

const QUERIES: readonly Query[] = [
  APPEND,
  APPEND_ONE,
  LOCK_AGENTS,
  HORIZON,
  CHANGED_AGENTS,
  SIGNED_AGENTS,
  ...[
    AGENT_QUERIES,
    EVENT_QUERIES,
    DELIVERY_QUERIES,
    MARK_QUERIES,
    TURN_QUERIES,
    SESSION_QUERIES,
    USAGE_QUERIES,
    APPROVAL_QUERIES,
    NODE_QUERIES,
    RELAY_QUERIES,
  ].flatMap((group): Query[] => Object.values(group)),
  ...listedTurns(),
  ...listedApprovals(),
  ...listedDeliveries(),
]

function listedApprovals(): Query[] {
  const names = ['agentId', 'turnId', 'state', 'before', 'after'] as const
  const all = Array.from({ length: 2 ** names.length }, (_, set) => {
    const given = names.map((name, place) => [name, (set >> place) % 2 === 1 ? name : null])
    return approvalListQuery({ ...(Object.fromEntries(given) as Omit<ApprovalQuery, 'limit'>), limit: 50 })
  })
  return [...new Map(all.map((query) => [query.name, query])).values()]
}

function listedDeliveries(): Query[] {
  const [agents, states, places] = [
    [null, 'big'],
    [null, ...DELIVERY_STATES],
    [null, 'd50000'],
  ]
  return agents.flatMap((agent) =>
    states.flatMap((state) => places.map((before) => deliveryListQuery(agent, 50, { state, before }))),
  )
}

/** Every set of conditions under which turns are listed. */
function listedTurns(): Query[] {
  const names = ['agentId', 'session', 'state', 'since', 'before'] as const
  return Array.from({ length: 2 ** (names.length + 1) }, (_, set) => {
    const given = names.map((name, place) => [name, (set >> place) % 2 === 1 ? name : null])
    const again = set >> names.length === 1
    return listQuery({ ...(Object.fromEntries(given) as Omit<TurnQuery, 'limit' | 'again'>), again, limit: 50 })
  })
}

const ID = 'evt_zzzz'
const AT = '2026-06-01'
const STATES = ['waiting', 'trying', 'sent', 'failed'].map((state) => `'${state}'`)

/** Behind the id and the agent of a turn, up to its claim. */
const TURN_VALUES = "'s1','u','person',NULL,NULL,'','',0,'done',NULL,1,'t',NULL,NULL,'t',NULL,NULL,NULL,NULL,1".split(
  ',',
)

/** What each is asked here, of an agent that has most of all events, and how many rows that may touch. */
const ASKED: Readonly<Record<string, readonly [values: readonly string[], rows: number]>> = {
  append: [
    [`'{${ID}1,${ID}2}'`, `'{big,new}'`, `'{t,t}'`, `'{s,s}'`, `'{x,y}'`, `'{0,0}'`, `'{key 5,NULL}'`, `'{t,NULL}'`],
    2,
  ],
  append_one: [[`'${ID}1'`, "'big'", "'t'", "'s'", "'x'", '0'], 2],
  lock_agents: [[`'{big,a1,a2}'`], 3],
  horizon: [[], 0],
  changed_agents: [["'1'", "''", '100'], 100],
  signed_agents: [["'1'", "''", '100'], 100],
  place_agents: [
    [
      "'{a1,new}'",
      "'{/h,/h}'",
      "'{NULL,NULL}'",
      "'{[],[]}'",
      "'{t,t}'",
      "'{x,y}'",
      "'{x,y}'",
      "'{any,NULL}'",
      "'{NULL,NULL}'",
      "'n1'",
    ],
    4,
  ],
  agents_elsewhere: [["'{a1,a2}'", "'n1'"], 4],
  find_agent: [["'a1'"], 2],
  agent_by_token: [["'d500'"], 2],
  list_agents: [["'a5'", '100'], 200],
  list_agents_of: [["'n7'", "'a5'", '100'], 200],
  withdraw_agent: [["'a1'", "'n1'"], 2],
  put_agent_token: [["'a1'", "'t'", "'d'"], 2],
  hold_agent: [["'a1'"], 2],
  want_agent: [["'a1'", "'n1'"], 2],
  move_agent: [["'a1'", "'n1'", "'/h'", 'NULL', "'[]'"], 2],
  agents_anywhere: [["'a5'", '100'], 100],
  adopt_agents: [["'n1'", '100'], 500],
  owner_of_default: [["'n1'"], 2],
  lock_names: [[], 0],
  own_node: [["'n1'"], 1],
  node_names: [["'n1'", '1000'], 200],
  join_nodes: [["'n1'", "'b'", "'p'", "'x'", "'1'"], 1],
  forget_nodes: [['100'], 200],
  beat: [["'n1'", "'b'", "'up'"], 1],
  list_nodes: [['1000', '1000'], 110_000],
  open_turns_of: [["'big'", "''", '100'], 100],
  turns_for_anyone: [["'{big,a1,a2}'", "'u'", '8'], 100],
  busy_agents: [["'{big,a1,a2,a3}'", '100'], 800],
  ask_cancel: [["'t00050002'", "'asked'"], 2],
  ask_turn_news: [["'t00050002'"], 2],
  sign_agent: [["'a1'"], 2],
  tell_turn: [["'t00050002'", '1', "'x'"], 2],
  heard_of_turn: [["'t500'", '0', '16'], 16],
  sweep_turns: [["'t'", '100', "'2026-03-19'"], 600],
  sweep_turns_of: [["'a1'", "'t'", "'2026-03-19'"], 2_500],
  give_up_turn: [["'t00050002'", '1', "'t'", "'2026-03-19'"], 6],
  turn_ran_on: [["'t00050000'"], 1],
  lost_runs_of: [["'t500'"], 100],
  forget_turn_news: [["'t500'"], 20],
  last_event_id: [["'big'"], 1],
  event_by_id: [["'big'", "'evt_00050000'"], 1],
  newest_events: [["'big'", '50'], 50],
  newest_pending_events: [["'big'", '50'], 50],
  events_after: [["'big'", "'evt_00040000'", '16'], 16],
  count_events: [["'big'", String(LIMITS.countedEvents)], 2 * LIMITS.countedEvents],
  list_events: [["'{big,a1,a2,a3}'", "'evt_00090000'", '50'], 400],
  list_pending_events: [["'{big,a1,a2,a3}'", "'evt_00090000'", '50'], 400],
  list_acked_events: [["'{big,a1,a2,a3}'", "'evt_00090000'", '50'], 400],
  find_event: [["'{big,a1,a2,a3}'", "'evt_00050000'"], 4],
  count_pending_events: [["'{big,a1,a2,a3}'", '100'], 400],
  ack_events: [["'big'", "'{evt_00050000,evt_00050002}'", "'t'"], 4],
  remove_events: [["'big'", '100'], 200],
  remove_acked_events: [["'big'", '100'], 200],
  remove_keys: [["'big'", '100'], 200],
  prune_events: [[`'${AT}'`, '100'], 200],
  prune_keys: [[`'${AT}'`, '100'], 200],
  add_delivery: [["'new'", "'big'", "'c'", "'t'", "'x'", `'${AT}'`, "'me'"], 1],
  claim_deliveries: [["'me'", `'${AT}'`, '8'], 24],
  settle_delivery: [["'d500'", '1', "'sent'", '1', 'NULL', 'NULL'], 1],
  release_deliveries: [["'h7'", `'${AT}'`, '100'], 200],
  next_delivery: [["'me'"], 2],
  delivery: [["'d500'"], 1],
  retry_delivery: [["'d500'", `'${AT}'`], 1],
  count_open_deliveries: [["'big'", '1000'], 1_000],
  remove_deliveries: [["'big'", '100'], 200],
  prune_deliveries: [[`'${AT}'`, '100'], 200],
  marks: [["'m5'", "'m5~'", '50'], 50],
  remove_mark: [["'m50'"], 1],
  add_turn: [["'t'", "'big'", ...TURN_VALUES], 1],
  turn: [["'t00050000'"], 1],
  turn_detail: [["'t00050000'"], 1],
  turn_of_event: [["'big'", "'e50000'"], 1],
  turn_request: [["'big'", "'r50000'", "''"], 1],
  put_turn_request: [["'big'", "'r50000'", "'t'", "'d'", "'t'"], 1],
  latest_turns: [["'{big,a1,a2,a3}'"], 4],
  open_turns: [["''", '100'], 100],
  claim_turn: [["'t00050001'", "'me'", "'t'"], 1],
  renew_turns: [["'{t00050002,t00050007}'", "'{1,1}'"], 2],
  keep_turn_detail: [["'t00050002'", '1', "''", "''", "''"], 2],
  wait_turn: [["'t00050002'", '1', "'waiting'"], 1],
  settle_turn: [["'t00050002'", "'big'", ...TURN_VALUES], 1],
  put_turn_detail: [["'t00050002'", "''", "''", "''"], 1],
  change_turn: [["'t00050001'", "'big'", ...TURN_VALUES], 1],
  reopen_turn: [["'t00050000'", "'big'", ...TURN_VALUES], 1],
  retried_turn: [["'t00050000'", "'t00050001'"], 1],
  recover_turns: [["'h7'", "'t'", '100', "'2026-03-19'"], 300],
  turns_started: [["'big'", `'${AT}'`, '100'], 100],
  remove_turns: [["'big'", '100'], 300],
  remove_turn_requests: [["'big'", '100'], 200],
  prune_turns: [[`'${AT}'`, '100'], 300],
  prune_turn_requests: [[`'${AT}'`, '100'], 200],
  trim_turns: [["'big'", '1000', '100'], 1_300],
  add_approval: [["'new'", "'big'", 'NULL', "'waiting'", "'x'"], 1],
  approval: [["'apr_00050000'"], 1],
  lock_approval: [["'apr_00050000'"], 1],
  lock_approvals_of_turn: [["'t500'"], 10],
  put_approval: [["'apr_00050000'", "'allowed'", "'x'"], 1],
  waiting_approvals: [['100'], 100],
  remove_approvals: [["'big'", '100'], 200],
  prune_approvals: [["'apr_00050000'", '100'], 200],
  agent_session: [["'big'", "'s500'"], 1],
  put_agent_session: [["'big'", "'s500'", "'x'", 'true', "'t'"], 1],
  agent_sessions: [["'big'", '50'], 50],
  remove_agent_sessions: [["'big'", '100'], 200],
  add_usage: [["'2026-01-01'", "'big'", "'s1'", '1', '1', '1', '1', '1', '1', '1'], 1],
  usage_by_day: [["'2026-12-01'", '50'], 10_000],
  usage_by_agent: [["'2026-12-01'", '50'], 10_000],
  usage_by_session: [["'2026-12-01'", '50'], 10_000],
  usage_of_day: [["'big'", "'2026-06-01'"], 300],
  remove_usage: [["'big'", '100'], 200],
  prune_usage: [[`'${AT}'`, '100'], 200],
  mark: [["'m50'"], 1],
  put_mark: [["'m50'", "'x'"], 1],
}

/** What turns are listed by, of an agent, a session, a state and a time that have many. */
function listValues(name: string): string[] {
  if (name.startsWith('list_approvals')) return approvalValues(name)
  if (name.startsWith('list_deliveries')) return deliveryValues(name)
  const values = { agent: "'big'", session: "'s1'", state: "'done'", since: "'2026-03-01'", before: "'t00090000'" }
  const given = Object.entries(values).filter(([part]) => name.split('_').includes(part))
  return [...given.map(([, value]) => value), '50']
}

function deliveryValues(name: string): string[] {
  const values = { agent: "'big'", before: "'d50000'" }
  const given = Object.entries(values).filter(([part]) => name.split('_').includes(part))
  return [...given.map(([, value]) => value), '50']
}

function approvalValues(name: string): string[] {
  const values = {
    agent: "'big'",
    turn: "'t500'",
    state: "'waiting'",
    before: "'apr_00090000'",
    after: "'apr_00010000'",
  }
  const given = Object.entries(values).filter(([part]) => name.split('_').includes(part))
  return [...given.map(([, value]) => value), '50']
}

const PLANNED = BY_INDEX.map((name) => `SET ${name} = off;`).join(' ')

/** Pages that one row may cost: of its indexes, of the table, and of what the server must know for a plan. */
const PAGES_PER_ROW = 12
const PAGES_AT_LEAST = 300

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Plan[]
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
}

function scansOf(plan: Plan): string[] {
  const own = plan['Node Type'] === 'Seq Scan' && plan['Relation Name'] !== undefined ? [plan['Relation Name']] : []
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)]
}

describe.skipIf(!hasPostgres)('P8: with 100,000 rows in each table', () => {
  const server = postgresServer({ settings: ['autovacuum=off'] })
  let database = ''

  beforeAll(async () => {
    database = await server.database()
    const store = await openPostgres(server.url(database), { log: silent, onFatal: () => undefined })
    await store.close()
    await server.sql(FILL, database)
  }, 120_000)

  it('every statement is known here', () => {
    const asked = QUERIES.map(({ name }) => name).filter((name) => !/^list_(?:turns|approvals|deliveries)/.test(name))
    expect(asked.toSorted()).toEqual(Object.keys(ASKED).toSorted())
  })

  describe.each(['that the server has counted', 'that the server knows nothing of yet'])('%s', (what) => {
    beforeAll(async () => {
      if (what.includes('counted')) await server.sql('ANALYZE', database)
      else
        await server.sql(
          "DELETE FROM pg_statistic WHERE starelid::regclass::text LIKE 'string.%'; UPDATE pg_class SET reltuples = -1, relpages = 0 WHERE relnamespace = 'string'::regnamespace",
          database,
        )
    })

    it.each(QUERIES)('$name reads no more than it needs, by an index', async ({ name, text }) => {
      const [values, rows] = ASKED[name] ?? [listValues(name), 50]
      const client = new Client({ connectionString: server.tcpUrl(database) })
      await client.connect()
      try {
        for (const mode of ['force_custom_plan', 'force_generic_plan']) {
          await client.query(`${PLANNED} SET plan_cache_mode = ${mode}; BEGIN`)
          await client.query(`PREPARE asked AS ${text}`)
          const execute = `EXECUTE asked${values.length === 0 ? '' : `(${values.join(', ')})`}`
          const explained = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
            `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${execute}`,
          )
          const plan = explained.rows[0]?.['QUERY PLAN'][0].Plan
          if (plan === undefined) throw new Error('There is no plan')
          expect(scansOf(plan), JSON.stringify(plan, null, 1)).toEqual([])
          const pages = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
          expect(pages, JSON.stringify(plan, null, 1)).toBeLessThan(PAGES_AT_LEAST + rows * PAGES_PER_ROW)
          await client.query('ROLLBACK; DEALLOCATE asked')
        }
      } finally {
        await client.end()
      }
    })
  })
})

const FILL = `
  INSERT INTO string.agents (id, last_event_id, previous_event_id, changed_in, signed_in, node_id, home, token_digest, placement)
    SELECT 'a' || n, 'evt_', '', pg_current_xact_id(), pg_current_xact_id(), 'n' || n % 100, '/h', 'd' || n,
      CASE WHEN n % 10 = 0 THEN 'any' ELSE 'home' END
    FROM generate_series(1, 100000) AS n;
  INSERT INTO string.agents (id, last_event_id, previous_event_id, changed_in) VALUES ('big', 'evt_00099999', '', pg_current_xact_id());
  INSERT INTO string.nodes
    SELECT 'n' || n, 'b', 'p', 'name' || n, '1', 'up', now() - n * interval '1 second' FROM generate_series(0, 99) AS n;
  INSERT INTO string.turn_news (turn_id, claim, events) SELECT 't' || n % 10000, 1, 'x' FROM generate_series(1, 100000) AS n;
  INSERT INTO string.lost_runs SELECT 't' || n % 10000, n, 'n1', 't', 't' FROM generate_series(1, 100000) AS n;
  INSERT INTO string.events
    SELECT CASE WHEN n % 10 < 8 THEN 'big' ELSE 'a' || n % 100 END, 'evt_' || lpad(n::text, 8, '0'), 't', 's', 'x',
      CASE WHEN n % 3 > 0 THEN to_char(timestamptz '2026-01-01' + n * interval '5 minutes', 'YYYY-MM-DD') END, 0
    FROM generate_series(1, 100000) AS n;
  INSERT INTO string.event_keys
    SELECT CASE WHEN n % 10 < 8 THEN 'big' ELSE 'a' || n % 100 END, 'key ' || n, 'evt_' || lpad(n::text, 8, '0'),
      to_char(timestamptz '2026-01-01' + n * interval '5 minutes', 'YYYY-MM-DD')
    FROM generate_series(1, 100000) AS n;
  INSERT INTO string.marks SELECT 'm' || n, 'x' FROM generate_series(1, 100000) AS n;
  INSERT INTO string.deliveries
    (id, agent_id, channel, target, text, state, tries, created_at, next_at, claim, holder, lease_until)
    SELECT 'd' || n, CASE WHEN n % 10 < 8 THEN 'big' ELSE 'a' || n % 100 END, 'c', 't', 'x',
      (ARRAY[${STATES.join(', ')}])[1 + n % 4], 0,
      to_char(timestamptz '2026-01-01' + n * interval '5 minutes', 'YYYY-MM-DD"T"HH24:MI'),
      to_char(timestamptz '2026-01-01' + n * interval '5 minutes', 'YYYY-MM-DD"T"HH24:MI'), 1, 'h' || n % 50,
      CASE WHEN n % 4 = 1 THEN now() + (n - 50000) * interval '1 second' END
    FROM generate_series(1, 100000) AS n;
  INSERT INTO string.turns
    (id, agent_id, session, from_user, source, event_id, request_id, message, attachments, hops, state, code, attempt,
      created_at, started_at, ended_at, next_at, result, usage, claim, holder, lease_until)
    SELECT 't' || lpad(n::text, 8, '0'), CASE WHEN n % 10 < 8 THEN 'big' ELSE 'a' || n % 100 END, CASE WHEN n % 5 = 2 THEN 's' || n ELSE 's' || n % 7 END, 'u', 'person',
      'e' || n, 'r' || n, 'x', 'x', 0,
      (ARRAY['done', 'queued', 'running', 'done', 'failed', 'done'])[1 + n % 5], NULL, 1,
      to_char(timestamptz '2026-01-01' + n * interval '5 minutes', 'YYYY-MM-DD'),
      to_char(timestamptz '2026-01-01' + n * interval '5 minutes', 'YYYY-MM-DD'),
      CASE WHEN n % 5 IN (0, 3, 4) THEN to_char(timestamptz '2026-01-01' + n * interval '5 minutes', 'YYYY-MM-DD') END,
      't', NULL, NULL, 1 + (n % 5 = 0)::int, 'h' || n % 50, now() + (n - 50000) * interval '1 second'
    FROM generate_series(1, 100000) AS n;
  INSERT INTO string.turn_details SELECT 't' || lpad(n::text, 8, '0'), 'x', 'x', 'x' FROM generate_series(1, 100000) AS n;
  INSERT INTO string.approvals
    SELECT 'apr_' || lpad(n::text, 8, '0'), CASE WHEN n % 10 < 8 THEN 'big' ELSE 'a' || n % 100 END, 't' || n % 10000,
      (ARRAY['waiting', 'allowed', 'denied', 'expired'])[1 + n % 4], 'x'
    FROM generate_series(1, 100000) AS n;
  INSERT INTO string.turn_requests
    SELECT CASE WHEN n % 10 < 8 THEN 'big' ELSE 'a' || n % 100 END, 'r' || n, 't', 'd',
      to_char(timestamptz '2026-01-01' + n * interval '5 minutes', 'YYYY-MM-DD')
    FROM generate_series(1, 100000) AS n;
  INSERT INTO string.agent_sessions
    SELECT CASE WHEN n % 10 < 8 THEN 'big' ELSE 'a' || n % 100 END, 's' || n, 'x', true,
      to_char(timestamptz '2026-01-01' + n * interval '5 minutes', 'YYYY-MM-DD')
    FROM generate_series(1, 100000) AS n;
  INSERT INTO string.usage
    SELECT to_char(timestamptz '2026-01-01' + n * interval '5 minutes', 'YYYY-MM-DD'),
      CASE WHEN n % 10 < 8 THEN 'big' ELSE 'a' || n % 100 END, 's' || n, 1, 1, 1, 1, 1, 1, 1
    FROM generate_series(1, 100000) AS n`
