import { join } from 'node:path'
import { measureLatency, measureThroughput, startBare } from '../lib/webhook.mjs'

const BASE = new URL('../bases/append-server.mjs', import.meta.url)

export const webhookLatency = {
  name: 'webhook p50',
  unit: 'µs',
  better: 'lower',
  bar: 1.3,
  dream: 1.1,
  measure: async (context) => measureLatency(await startPair(context)),
}

export const webhookThroughput = {
  name: 'webhook posts/s, 64 connections',
  unit: '/s',
  better: 'higher',
  bar: 0.7,
  dream: 0.9,
  measure: async (context) => measureThroughput(await startPair(context)),
}

async function startPair(context) {
  const file = join(context.folder, 'appended.jsonl')
  return startBare(context, await context.startDaemon(), BASE, { file })
}
