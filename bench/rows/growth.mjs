import { connect } from 'node:net'
import { loadEngines } from '../lib/engines.mjs'
import { compare, compareCalls } from '../lib/rounds.mjs'
import { fillSqlite, SIZES, storedTimes } from '../lib/stored-events.mjs'

const TOPICS = 1_000
const STREAMS = 2_000

/** What a command costs does not grow with what else is there. */
export const growTopics = {
  name: `growth: /info with ${TOPICS} open topics, against one`,
  unit: 'µs',
  better: 'lower',
  bar: 1.2,
  dream: 1.1,
  measure: (context) =>
    grown(context, async (daemon) => {
      const connection = daemon.connect()
      for (let index = 0; index < TOPICS; index += 1)
        await connection.exec({ cmd: '/open note.md', topic: `tab-${index}` })
    }),
}

export const growStreams = {
  name: `growth: /info with ${STREAMS} event streams, against none`,
  unit: 'µs',
  better: 'lower',
  bar: 1.2,
  dream: 1.1,
  measure: (context) =>
    grown(context, async (daemon) => {
      for (let index = 0; index < STREAMS; index += 1) await openStream(context, daemon.port)
    }),
}

/** Two daemons, of which one has been filled. */
async function grown(context, fill) {
  const [small, large] = [await context.startDaemon(), await context.startDaemon()]
  await fill(large)
  const call = (daemon) => {
    const connection = daemon.connect()
    return () => connection.exec({ cmd: '/info', topic: 'main' })
  }
  return compareCalls({ rounds: 15, calls: 200, base: call(small), ours: call(large) })
}

function openStream(context, port) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('GET /events/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Agent-Id: default\r\n\r\n'),
    )
    socket.once('error', reject).once('data', resolve).resume()
    context.onClose(() => socket.destroy())
  })
}

export const growStart = {
  name: 'growth: daemon start with 1,000,000 stored events, against none',
  unit: 'ms',
  better: 'lower',
  bar: 2,
  dream: 1.2,
  async measure(context) {
    const engines = await loadEngines(context)
    const full = await context.spawnDaemon({
      fill: (folder) => fillSqlite(engines, folder, SIZES.grown, storedTimes(engines)),
    })
    await full.end()
    return compare({
      rounds: 9,
      better: 'lower',
      base: () => startMs(context, {}),
      ours: () => startMs(context, { data: full.data }),
    })
  },
}

async function startMs(context, options) {
  const daemon = await context.spawnDaemon(options)
  await daemon.end()
  return daemon.startMs
}
