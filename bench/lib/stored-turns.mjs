import { join } from 'node:path'
import { loadEngines, log, openPostgres } from './engines.mjs'
import { NO_POSTGRES, startPostgres } from './postgres.mjs'

/** A few pages of turns, and what many agents leave behind. */
const SIZES = { small: 100, grown: 100_000 }
const AT_ONCE = 5_000
const AT = '2025-01-01T00:00:00.000Z'
/** Most are of one agent, in some sessions. */
const OTHERS_EVERY = 7
const SESSIONS = 50
const MESSAGE = 'Look why the nightly build has failed, and mend it. '.repeat(4)
const RESULT = { reply: 'The test of step 3 waited for a port that was taken.' }
export const DETAIL = { steps: [], partial: '', stderr: '' }

/** Two stores that the bench itself opens, `small` and `grown`; all of their turns are over. */
export const STAGES = {
  async sqlite(context) {
    const engines = await loadEngines(context)
    return openSides(context, async (size) => {
      const path = join(context.folder, `${size}.db`)
      await fillSqlite(engines, path, SIZES[size])
      return engines.openSqlite(path, { log })
    })
  },
  async postgres(context) {
    const server = await startPostgres(context)
    if (server === null) return NO_POSTGRES
    const engines = await loadEngines(context)
    return openSides(context, async (size) => {
      const store = await openPostgres(engines, await server.database(size))
      await fillPostgres(server, size, SIZES[size])
      return store
    })
  },
}

async function openSides(context, open) {
  const side = async (size) => {
    const store = await open(size)
    context.onClose(() => void store.close().catch(console.error))
    // New turns get ids above all that are stored.
    return { store, next: SIZES.grown }
  }
  return { small: await side('small'), grown: await side('grown') }
}

export function turnOf(id, given) {
  return {
    id,
    agentId: 'default',
    session: 'main',
    from: 'bench',
    source: 'person',
    eventId: null,
    requestId: null,
    message: MESSAGE,
    attachments: [],
    hops: 0,
    state: 'queued',
    code: null,
    attempt: 1,
    createdAt: AT,
    startedAt: null,
    endedAt: null,
    nextAt: AT,
    result: null,
    usage: null,
    claim: 0,
    ...given,
  }
}

/** A turn as its run leaves it. */
export function overTurn(turn) {
  return { ...turn, state: 'done', startedAt: AT, endedAt: AT, result: RESULT }
}

/** Through the engine, which seals each row. */
export async function fillSqlite({ Database, TURNS, TURN_DETAILS, putRow }, path, turns) {
  const database = new Database(path, log)
  const [message, list, result, none] = [MESSAGE, '[]', JSON.stringify(RESULT), ''].map((text) => Buffer.from(text))
  const put = (connection, number) => {
    const id = idOf(number)
    const agent = number % OTHERS_EVERY === 0 ? 'other' : 'default'
    const asked = { from_user: 'bench', source: 'person', message, attachments: list, hops: 0, attempt: 1, claim: 1 }
    const times = { created_at: AT, started_at: AT, ended_at: AT, next_at: AT, holder: '', lease_until: 0 }
    const session = `session-${number % SESSIONS}`
    putRow(connection, TURNS, { id, agent_id: agent, session, ...asked, ...times, state: 'done', result })
    putRow(connection, TURN_DETAILS, { id, steps: list, partial: none, stderr: none })
  }
  for (let first = 0; first < turns; first += AT_ONCE) {
    await database.write((connection) => {
      for (let number = first; number < Math.min(turns, first + AT_ONCE); number += 1) put(connection, number)
    })
  }
  await database.close()
}

/** By the server itself, into the tables that the engine has made. */
function fillPostgres(server, name, turns) {
  return server.sql(
    name,
    `INSERT INTO string.turns (id, agent_id, session, from_user, source, message, attachments, hops, state, attempt,
        created_at, started_at, ended_at, next_at, result, claim)
      SELECT 'trn_' || lpad(number::text, 26, '0'), CASE WHEN number % ${OTHERS_EVERY} = 0 THEN 'other' ELSE 'default' END,
        'session-' || number % ${SESSIONS}, 'bench', 'person', '${MESSAGE}', '[]', 0, 'done', 1,
        '${AT}', '${AT}', '${AT}', '${AT}', '${JSON.stringify(RESULT)}', 1
      FROM generate_series(0, ${turns - 1}) AS number`,
    `INSERT INTO string.turn_details (id, steps, partial, stderr) SELECT id, '[]', '', '' FROM string.turns`,
    'VACUUM ANALYZE',
    'CHECKPOINT',
  )
}

export function idOf(number) {
  return `trn_${String(number).padStart(26, '0')}`
}
