import { measureThroughput } from '../lib/exec-pair.mjs'

const BASE = new URL('../bases/info-server.mjs', import.meta.url)

export const throughputInfo = {
  name: 'exec /info throughput, 8 connections on 8 topics',
  unit: 'req/s',
  better: 'higher',
  bar: 0.7,
  dream: 0.9,
  measure: (context) => measureThroughput(context, { cmd: '/info', base: BASE }),
}
