import { pinned } from './pin.mjs'
import { RawConnection } from './raw-connection.mjs'
import { compare } from './rounds.mjs'

const REQUESTS = 2000
const CONNECTIONS = 8
/** Node sets these by itself, or they follow from the text. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'content-length'])

/**
 * Median latency of a command over one connection, in µs, beside a bare server that gives the same answer. On one core
 * there is no wake-up across cores in it, which would hide a part of what the command costs.
 */
export async function measureLatency(context, options) {
  const { daemon, bare } = await startPair(context, { ...options, topic: 'main' })
  const body = { cmd: options.cmd, topic: 'main' }
  const connections = { base: bare.connect(), ours: daemon.connect() }
  const sides = {
    rounds: 11,
    better: 'lower',
    base: () => medianMicroseconds(connections.base, body),
    ours: () => medianMicroseconds(connections.ours, body),
  }
  return pinned('together', [daemon, bare], () => compare(sides))
}

/** Commands per second over eight connections, each on its own topic; the server has a core for itself. */
export async function measureThroughput(context, options) {
  const { daemon, bare } = await startPair(context, { ...options, topic: 'topic-0' })
  const connections = { base: many(bare.port), ours: many(daemon.port) }
  const sides = {
    rounds: 11,
    better: 'higher',
    base: () => requestsPerSecond(connections.base, options.cmd),
    ours: () => requestsPerSecond(connections.ours, options.cmd),
  }
  return pinned('apart', [daemon, bare], () => compare(sides))
}

async function startPair(context, { cmd, base, topic }) {
  const daemon = await context.startDaemon()
  const connection = daemon.connect()
  // The second answer is like all that follow: the first of a topic may say that there was no document before.
  await connection.exec({ cmd, topic })
  const answer = await connection.exec({ cmd, topic })
  const headers = shownHeaders(answer.rawHeaders)
  const bare = await context.startBase(base, { text: answer.text, headers, file: daemon.note })
  const same = await bare.connect().exec({ cmd, topic })
  // Not the content: the daemon may show a document otherwise than it stands in the file.
  if (headOf(same) !== headOf(answer)) throw new Error(`${base} answers something else than the daemon`)
  return { daemon, bare }
}

function headOf({ text }) {
  return text.slice(0, text.indexOf('\n\n'))
}

export function shownHeaders(rawHeaders) {
  const pairs = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1]]] : []))
  return Object.fromEntries(pairs.filter(([name]) => !OWN_HEADERS.has(name.toLowerCase())))
}

async function medianMicroseconds(connection, body) {
  const times = new Float64Array(REQUESTS)
  for (let index = 0; index < REQUESTS; index += 1) {
    const started = performance.now()
    await connection.exec(body)
    times[index] = performance.now() - started
  }
  return times.sort()[REQUESTS / 2] * 1000
}

async function requestsPerSecond(connections, cmd) {
  const started = performance.now()
  await Promise.all(connections.map((connection, index) => repeat(connection, { cmd, topic: `topic-${index}` })))
  return (REQUESTS * 2) / ((performance.now() - started) / 1000)
}

async function repeat(connection, body) {
  for (let count = 0; count < (REQUESTS * 2) / CONNECTIONS; count += 1) await connection.exec(body)
}

function many(port) {
  return Array.from({ length: CONNECTIONS }, () => new RawConnection(port))
}
