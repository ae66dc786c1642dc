import { pinned } from '../lib/pin.mjs'
import { NO_POSTGRES, startPostgres } from '../lib/postgres.mjs'
import { compareCalls } from '../lib/rounds.mjs'
import { measureThroughput, startBare, TEXT } from '../lib/webhook.mjs'

const BASE = new URL('../bases/insert-server.mjs', import.meta.url)
/** The fields of an event, and what keeps its id from being given twice. */
const TABLE = `CREATE TABLE bare_events (agent_id text NOT NULL, id text NOT NULL, received_at text NOT NULL,
  source text NOT NULL, text bytea NOT NULL, acked_at text, hops integer NOT NULL, PRIMARY KEY (agent_id, id))`

export const postgresWebhookLatency = {
  name: 'postgres webhook p50',
  unit: 'µs',
  better: 'lower',
  bar: 1.43,
  dream: 1.2,
  stage: startPostgresStage,
  async measure(context, { server }) {
    const { daemon, bare, path } = await startPair(context, server, 1)
    const connections = { base: bare.connect(), ours: daemon.connect() }
    const sides = {
      rounds: 15,
      calls: 300,
      base: () => connections.base.send(path, TEXT),
      ours: () => connections.ours.send(path, TEXT),
    }
    return pinned('together', [daemon, bare], () => compareCalls(sides))
  },
}

export const postgresWebhookThroughput = {
  name: 'postgres webhook posts/s, 64 connections',
  unit: '/s',
  better: 'higher',
  bar: 0.7,
  dream: 1,
  stage: startPostgresStage,
  measure: async (context, { server }) => measureThroughput(await startPair(context, server, 10)),
}

async function startPostgresStage(context) {
  const server = await startPostgres(context)
  return server === null ? NO_POSTGRES : { server }
}

/** Two databases of one server: whatever slows it slows both sides. */
async function startPair(context, server, connections) {
  const store = await server.database(`ours_${connections}`)
  const url = await server.database(`bare_${connections}`)
  await server.sql(`bare_${connections}`, TABLE)
  return startBare(context, await context.startDaemon({ store }), BASE, { url, connections })
}
