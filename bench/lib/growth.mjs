import { catchUp } from './catch-up.mjs'
import { loadEngines } from './engines.mjs'
import { pinned } from './pin.mjs'
import { NO_POSTGRES, startPostgres } from './postgres.mjs'
import { compare } from './rounds.mjs'
import { fillPostgres, fillSqlite, idBack, SIZES, storedTimes } from './stored-events.mjs'
import { medianMicroseconds, TEXT, webhookPath } from './webhook.mjs'

const REQUESTS = 200
const CATCH_UPS = 20
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

/** What is done to a side, and how often; the time of each is in the median. */
export const WORK = {
  list: ({ daemon }) => exec(daemon.connect(), '/events'),
  'list --all': ({ daemon }) => exec(daemon.connect(), '/events --all'),
  'catch-up': ({ daemon, from, last }) => ({ count: CATCH_UPS, once: () => catchUp(daemon.port, from, last) }),
  async append({ daemon }) {
    const [path, connection] = [await webhookPath(daemon), daemon.connect()]
    return { count: REQUESTS, once: () => connection.send(path, TEXT) }
  },
}

function exec(connection, cmd) {
  return { count: REQUESTS, once: () => connection.exec({ cmd, topic: 'main' }) }
}

export async function measureGrowth({ small, grown }, work) {
  const [base, ours] = [await work(small), await work(grown)]
  const sides = {
    rounds: 7,
    better: 'lower',
    base: () => medianMicroseconds(base.count, base.once),
    ours: () => medianMicroseconds(ours.count, ours.once),
  }
  return pinned('together', [small.daemon, grown.daemon], () => compare(sides))
}
