import { worstDelays } from '../lib/worst-inputs.mjs'

export const loopDelay = {
  name: 'others wait, at most, while the worst inputs of every command are worked on',
  unit: 'ms',
  better: 'lower',
  bar: 200,
  dream: 50,
  async measure(context) {
    const delays = await worstDelays(await context.startDaemon())
    return { base: null, ours: Math.max(...delays.map(({ ms }) => ms)) }
  },
}
