import { catchUp } from './catch-up.mjs'
import { loadEngines } from './engines.mjs'
import { pinned } from './pin.mjs'
import { NO_POSTGRES, startPostgres } from './postgres.mjs'
import { compareCalls } from './rounds.mjs'
import { fillPostgres, fillSqlite, idBack, SIZES, storedTimes } from './stored-events.mjs'
import { TEXT, webhookPath } from './webhook.mjs'

/** Of each side; a stream takes as long as many requests. */
const REQUESTS = { rounds: 15, calls: 100 }
const STREAMS = { rounds: 7, calls: 20 }
const BEHIND = 200

/** Two daemons that differ in how much they have stored: `small` and `grown`. */
export const STAGES = {
  async sqlite(context) {
    const engines = await loadEngines(context)
    return startSides(engines, (size, times) =>
      context.startDaemon({ fill: (folder) => fillSqlite(engines, folder, SIZES[size], times) }),
    )
  },
  async postgres(context) {
    const server = await startPostgres(context)
    if (server === null) return NO_POSTGRES
    const engines = await loadEngines(context)
    return startSides(engines, async (size, times) => {
      await fillPostgres(engines, server, size, SIZES[size], times)
      return context.startDaemon({ store: server.url(size) })
    })
  },
}

async function startSides(engines, start) {
  const times = storedTimes(engines)
  const side = async (size) => {
    const daemon = await start(size, times)
    const [from, last] = [BEHIND, 0].map((back) => idBack(SIZES[size], times, back))
    return { daemon, from, last }
  }
  return { small: await side('small'), grown: await side('grown') }
}

/** What is done to a side, and how often. */
export const WORK = {
  list: { ...REQUESTS, callOf: (side) => exec(side, '/events') },
  'list --all': { ...REQUESTS, callOf: (side) => exec(side, '/events --all') },
  'catch-up': {
    ...STREAMS,
    callOf:
      ({ daemon, from, last }) =>
      () =>
        catchUp(daemon.port, from, last),
  },
  append: { ...REQUESTS, callOf: post },
}

function exec({ daemon }, cmd) {
  const connection = daemon.connect()
  return () => connection.exec({ cmd, topic: 'main' })
}

async function post({ daemon }) {
  const [path, connection] = [await webhookPath(daemon), daemon.connect()]
  return () => connection.send(path, TEXT)
}

export async function measureGrowth({ small, grown }, { rounds, calls, callOf }) {
  const sides = { rounds, calls, base: await callOf(small), ours: await callOf(grown) }
  return pinned('together', [small.daemon, grown.daemon], () => compareCalls(sides))
}
