import { shownHeaders } from './exec-pair.mjs'
import { pinned } from './pin.mjs'
import { RawConnection } from './raw-connection.mjs'
import { compare } from './rounds.mjs'

const POSTS = 1000
const CONNECTIONS = 64
export const TEXT = 'The nightly build has failed: see the log of step 3. '.repeat(4)

/** Where posts for the agent `default` go. */
export async function webhookPath(daemon) {
  const { text } = await daemon.connect().send('/agents/default/webhook', '')
  return new URL(JSON.parse(text).webhook_url).pathname
}

/** A server of bases/ that answers posts as the daemon does. */
export async function startBare(context, daemon, base, config) {
  const path = await webhookPath(daemon)
  const { text, rawHeaders } = await daemon.connect().send(path, TEXT)
  const bare = await context.startBase(base, { text, headers: shownHeaders(rawHeaders), ...config })
  return { daemon, bare, path }
}

/** Median of the time to an answer over one connection, in µs. */
export function measureLatency({ daemon, bare, path }) {
  const connections = { base: bare.connect(), ours: daemon.connect() }
  const sides = {
    rounds: 9,
    better: 'lower',
    base: () => medianMicroseconds(connections.base, path),
    ours: () => medianMicroseconds(connections.ours, path),
  }
  return pinned('together', [daemon, bare], () => compare(sides))
}

/** Answers per second over 64 connections. */
export function measureThroughput({ daemon, bare, path }) {
  const connections = { base: many(bare.port), ours: many(daemon.port) }
  const sides = {
    rounds: 9,
    better: 'higher',
    base: () => postsPerSecond(connections.base, path),
    ours: () => postsPerSecond(connections.ours, path),
  }
  return pinned('apart', [daemon, bare], () => compare(sides))
}

async function medianMicroseconds(connection, path) {
  const times = new Float64Array(POSTS)
  for (let index = 0; index < POSTS; index += 1) {
    const started = performance.now()
    await connection.send(path, TEXT)
    times[index] = performance.now() - started
  }
  return times.sort()[POSTS / 2] * 1000
}

async function postsPerSecond(connections, path) {
  const started = performance.now()
  await Promise.all(connections.map((connection) => repeat(connection, path)))
  return (POSTS * 4) / ((performance.now() - started) / 1000)
}

async function repeat(connection, path) {
  for (let count = 0; count < (POSTS * 4) / CONNECTIONS; count += 1) await connection.post(path, TEXT)
}

function many(port) {
  return Array.from({ length: CONNECTIONS }, () => new RawConnection(port))
}
