import { residentMiB } from '../lib/memory.mjs'

export const memoryIdle = {
  name: 'memory: idle daemon',
  unit: 'MiB',
  better: 'lower',
  bar: 90,
  dream: null,
  async measure(context) {
    const { pid, connect } = await context.startDaemon()
    await connect().exec({ cmd: '/info', topic: 'main' })
    return { base: null, ours: await residentMiB(pid) }
  },
}
