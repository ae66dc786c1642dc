import { join } from 'node:path'
import { shownHeaders } from '../lib/exec-pair.mjs'
import { pinned } from '../lib/pin.mjs'
import { RawConnection } from '../lib/raw-connection.mjs'
import { compare } from '../lib/rounds.mjs'

const BASE = new URL('../bases/append-server.mjs', import.meta.url)
const POSTS = 1000
const CONNECTIONS = 64
const TEXT = 'The nightly build has failed: see the log of step 3. '.repeat(4)

export const webhookLatency = {
  name: 'webhook p50',
  unit: 'µs',
  better: 'lower',
  bar: 1.3,
  dream: 1.1,
  async measure(context) {
    const { daemon, bare, path } = await startPair(context)
    const connections = { base: bare.connect(), ours: daemon.connect() }
    const sides = {
      rounds: 9,
      better: 'lower',
      base: () => medianMicroseconds(connections.base, path),
      ours: () => medianMicroseconds(connections.ours, path),
    }
    return pinned('together', [daemon, bare], () => compare(sides))
  },
}

export const webhookThroughput = {
  name: 'webhook posts/s, 64 connections',
  unit: '/s',
  better: 'higher',
  bar: 0.7,
  dream: 0.9,
  async measure(context) {
    const { daemon, bare, path } = await startPair(context)
    const connections = { base: many(bare.port), ours: many(daemon.port) }
    const sides = {
      rounds: 9,
      better: 'higher',
      base: () => postsPerSecond(connections.base, path),
      ours: () => postsPerSecond(connections.ours, path),
    }
    return pinned('apart', [daemon, bare], () => compare(sides))
  },
}

async function startPair(context) {
  const daemon = await context.startDaemon()
  const { text: view } = await daemon.connect().send('/agents/default/webhook', '')
  const path = new URL(JSON.parse(view).webhook_url).pathname
  const { text, rawHeaders } = await daemon.connect().send(path, TEXT)
  const file = join(context.folder, 'appended.jsonl')
  const bare = await context.startBase(BASE, { text, headers: shownHeaders(rawHeaders), file })
  return { daemon, bare, path }
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
