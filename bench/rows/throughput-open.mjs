import { measureThroughput } from '../lib/exec-pair.mjs'

const BASE = new URL('../bases/open-server.mjs', import.meta.url)

export const throughputOpen = {
  name: 'exec /open 1 KB throughput, 8 connections on 8 topics',
  unit: 'req/s',
  better: 'higher',
  bar: 0.7,
  dream: 0.9,
  measure: (context) => measureThroughput(context, { cmd: '/open note.md', base: BASE }),
}
