import { measureLatency } from '../lib/exec-pair.mjs'

const BASE = new URL('../bases/open-server.mjs', import.meta.url)

export const execOpen = {
  name: 'exec /open 1 KB p50',
  unit: 'µs',
  better: 'lower',
  bar: 1.3,
  dream: 1.0,
  measure: (context) => measureLatency(context, { cmd: '/open note.md', base: BASE }),
}
