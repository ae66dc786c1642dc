import type { TurnEvent } from '@string-os/protocol'
import { parseJson } from '@string-os/protocol'
import type { BusyAgent, LostRun, OpenTurn, RelayStore, SweptTurn, TurnNews } from '../groups/relay.ts'
import { dayOfTime } from '../iso-time.ts'
import type { Sign } from '../store.ts'
import { columnText, turnOf } from '../stored-rows.ts'
import type { ServerRow } from './link.ts'
import type { Run } from './run.ts'
import { CUT_COLUMNS, CUT_COUNTED, RECOVERED, RUNS, TURN_COLUMNS } from './turns.ts'

const OPEN = "state IN ('queued', 'running', 'waiting')"

/** Runs that are chosen are over for their node: what it still writes carries a claim that is not good any more. */
const sweepOf = (chosen: string, at: string, day: string): string => `WITH chosen AS (
    SELECT ${CUT_COLUMNS}, claim, ran_on FROM string.turns WHERE ${RUNS} AND ${chosen} FOR UPDATE SKIP LOCKED
  ), told AS (
    INSERT INTO string.lost_runs (turn_id, claim, node_id, started_at, found_at)
    SELECT id, claim, coalesce(ran_on, ''), coalesce(started_at, ''), ${at} FROM chosen ON CONFLICT DO NOTHING
  ), unheard AS (
    DELETE FROM string.turn_news WHERE turn_id = ANY(ARRAY(SELECT id FROM chosen))
  ), counted AS (${CUT_COUNTED(at, day)}
  ), swept AS (
    UPDATE string.turns SET ${RECOVERED(at)} WHERE id = ANY(ARRAY(SELECT id FROM chosen)) RETURNING id, agent_id
  ) SELECT id, agent_id FROM swept`

/** As a range, with an order that only the indexes of agents have: by others a rare agent would take long to find. */
const OF_NAMED = 'agent_id >= named.agent AND agent_id <= named.agent'

export const RELAY_QUERIES = {
  openOf: {
    name: 'open_turns_of',
    text: `SELECT ${TURN_COLUMNS}, is_cancel_asked, cancel_reason, is_followed, ran_on FROM string.turns WHERE agent_id = $1 AND ${OPEN} AND id > $2
      ORDER BY id LIMIT $3`,
    reads: true,
  },
  busy: {
    name: 'busy_agents',
    text: `SELECT named.agent AS agent_id, runs.*, waits.queued FROM unnest($1::text[]) AS named(agent)
      CROSS JOIN LATERAL (
        SELECT count(*) AS running, bool_or(state = 'waiting') AS is_asking, min(started_at) AS since,
          (array_agg(id ORDER BY started_at, id))[1] AS turn_id
        FROM (SELECT id, state, started_at FROM string.turns WHERE ${OF_NAMED} AND ${RUNS}
          ORDER BY agent_id, session LIMIT $2) AS running
      ) AS runs CROSS JOIN LATERAL (
        SELECT count(*) AS queued FROM (SELECT FROM string.turns
          WHERE ${OF_NAMED} AND ${OPEN} AND state = 'queued' ORDER BY agent_id, id LIMIT $2) AS queued
      ) AS waits WHERE runs.running + waits.queued > 0`,
    reads: true,
  },
  forAnyone: {
    name: 'turns_for_anyone',
    text: `SELECT t.* FROM unnest($1::text[]) WITH ORDINALITY AS given (id, place), LATERAL (
        SELECT ${TURN_COLUMNS} FROM string.turns AS w WHERE w.agent_id = given.id AND state = 'queued' AND next_at <= $2
          AND (SELECT true FROM string.turns AS o
            WHERE o.agent_id = w.agent_id AND o.session = w.session AND o.${RUNS} LIMIT 1) IS NULL
        ORDER BY w.agent_id, w.id LIMIT $3) AS t LIMIT $3`,
    reads: true,
  },
  askCancel: {
    name: 'ask_cancel',
    text: `UPDATE string.turns SET is_cancel_asked = true, cancel_reason = coalesce(cancel_reason, $2) WHERE id = $1 AND ${RUNS} RETURNING agent_id`,
  },
  askNews: {
    name: 'ask_turn_news',
    text: `UPDATE string.turns SET is_followed = true WHERE id = $1 AND ${OPEN} RETURNING agent_id`,
  },
  sign: {
    name: 'sign_agent',
    text: 'UPDATE string.agents SET signed_in = pg_current_xact_id() WHERE id = $1',
  },
  tell: {
    name: 'tell_turn',
    text: `INSERT INTO string.turn_news (turn_id, claim, events)
      SELECT id, claim, $3 FROM string.turns WHERE id = $1 AND claim = $2 AND ${RUNS} FOR SHARE`,
  },
  heard: {
    name: 'heard_of_turn',
    text: `SELECT place, claim, events FROM string.turn_news WHERE turn_id = $1 AND place > $2 ORDER BY place LIMIT $3`,
    reads: true,
  },
  sweep: {
    name: 'sweep_turns',
    text: sweepOf(
      `id = ANY(ARRAY(SELECT id FROM string.turns WHERE ${RUNS} AND lease_until < clock_timestamp() ORDER BY lease_until LIMIT $2))
        AND lease_until < clock_timestamp()`,
      '$1',
      '$3',
    ),
  },
  sweepAgent: { name: 'sweep_turns_of', text: sweepOf('agent_id = $1', '$2', '$3') },
  giveUp: { name: 'give_up_turn', text: sweepOf('id = $1 AND claim = $2', '$3', '$4') },
  ranOn: { name: 'turn_ran_on', text: 'SELECT ran_on FROM string.turns WHERE id = $1', reads: true },
  lost: {
    name: 'lost_runs_of',
    text: 'SELECT node_id, started_at, found_at FROM string.lost_runs WHERE turn_id = $1 ORDER BY claim LIMIT 100',
    reads: true,
  },
} as const

export function relayStore(run: Run, signed: (sign: Sign) => void): RelayStore {
  const queries = RELAY_QUERIES
  const look = async (agentId: string): Promise<void> => {
    await run(queries.sign, [agentId])
    signed({ kind: 'agent', id: agentId })
  }
  const ask = async (...given: Parameters<Run>): Promise<boolean> => {
    const agentId = columnText((await run(...given)).rows[0]?.agent_id)
    if (agentId !== null) await look(agentId)
    return agentId !== null
  }
  const swept = async (rows: readonly ServerRow[]): Promise<SweptTurn[]> => {
    const turns = rows.map(({ id, agent_id }) => ({ id: String(id), agentId: String(agent_id) }))
    for (const { id } of turns) signed({ kind: 'turn', id })
    for (const agentId of new Set(turns.map((turn) => turn.agentId))) await look(agentId)
    return turns
  }
  return {
    openOf: async (agentId, after, limit) => (await run(queries.openOf, [agentId, after, limit])).rows.map(openOf),
    busy: async (agentIds, limit) => (await run(queries.busy, [agentIds, limit])).rows.map(busyOf),
    forAnyone: async (agentIds, at, limit) => (await run(queries.forAnyone, [agentIds, at, limit])).rows.map(turnOf),
    askCancel: (id, reason) => ask(queries.askCancel, [id, reason]),
    askNews: (id) => ask(queries.askNews, [id]),
    tell: async (id, claim, events) => {
      const { count } = await run(queries.tell, [id, claim, Buffer.from(JSON.stringify(events))])
      if (count > 0) signed({ kind: 'turn', id })
      return count > 0
    },
    heard: async (id, after, limit) => (await run(queries.heard, [id, after, limit])).rows.map(newsOf),
    changed: async (id) => signed({ kind: 'turn', id }),
    sweep: async (at, limit) => swept((await run(queries.sweep, [at, limit, dayOfTime(at)])).rows),
    sweepAgent: async (agentId, at) => swept((await run(queries.sweepAgent, [agentId, at, dayOfTime(at)])).rows),
    giveUp: async (id, claim, at) =>
      void (await swept((await run(queries.giveUp, [id, claim, at, dayOfTime(at)])).rows)),
    story: async (id) => {
      const nodeId = columnText((await run(queries.ranOn, [id])).rows[0]?.ran_on)
      return { nodeId, lost: nodeId === null ? [] : (await run(queries.lost, [id])).rows.map(lostOf) }
    },
    wantChanges: (nodeId) => signed({ kind: 'watcher', id: nodeId }),
    tellChange: (change) => signed({ kind: 'change', ...change }),
  }
}

function openOf(row: ServerRow): OpenTurn {
  return {
    turn: turnOf(row),
    isCancelAsked: row.is_cancel_asked === true,
    cancelReason: columnText(row.cancel_reason),
    isFollowed: row.is_followed === true,
    nodeId: columnText(row.ran_on),
  }
}

function busyOf({ agent_id, running, queued, is_asking, turn_id, since }: ServerRow): BusyAgent {
  return {
    agentId: String(agent_id),
    running: Number(running),
    queued: Number(queued),
    isAsking: is_asking === true,
    turnId: columnText(turn_id),
    since: columnText(since),
  }
}

function newsOf({ place, claim, events }: ServerRow): TurnNews {
  const found = events instanceof Uint8Array ? parseJson(Buffer.from(events).toString('utf8')) : []
  // We wrote them.
  return { place: Number(place), claim: Number(claim), events: (Array.isArray(found) ? found : []) as TurnEvent[] }
}

function lostOf(row: ServerRow): LostRun {
  return { nodeId: String(row.node_id), startedAt: String(row.started_at), foundAt: String(row.found_at) }
}
