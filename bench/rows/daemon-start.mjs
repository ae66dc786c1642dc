import { timeNode } from '../lib/processes.mjs'
import { compare } from '../lib/rounds.mjs'

export const daemonStart = {
  name: 'daemon start to first /health',
  unit: 'ms',
  better: 'lower',
  bar: 4,
  dream: 2.5,
  measure: (context) =>
    compare({
      rounds: 20,
      better: 'lower',
      base: () => timeNode(['-e', '0'], process.env),
      ours: async () => {
        const { stop, startMs } = await context.spawnDaemon()
        stop()
        return startMs
      },
    }),
}
