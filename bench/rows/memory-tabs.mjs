import { residentMiB } from '../lib/memory.mjs'

const TABS = 2000

export const memoryTabs = {
  name: 'memory: each open tab',
  unit: 'KiB',
  better: 'lower',
  bar: 50,
  dream: null,
  async measure(context) {
    const { pid, connect } = await context.startDaemon()
    const connection = connect()
    const open = (topic) => connection.exec({ cmd: '/open note.md', topic })
    // The heap grows with the first commands whatever they do: only what the tabs add counts here.
    for (let index = 0; index < TABS; index += 1) await open('main')
    const before = await residentMiB(pid)
    for (let index = 0; index < TABS; index += 1) await open(`tab-${index}`)
    return { base: null, ours: ((await residentMiB(pid)) - before) * (1024 / TABS) }
  },
}
