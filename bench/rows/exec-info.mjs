import { measureLatency } from '../lib/exec-pair.mjs'

const BASE = new URL('../bases/info-server.mjs', import.meta.url)

export const execInfo = {
  name: 'exec /info p50',
  unit: 'µs',
  better: 'lower',
  bar: 1.3,
  dream: 1.1,
  measure: (context) => measureLatency(context, { cmd: '/info', base: BASE }),
}
