import { residentMiB } from '../lib/memory.mjs'

const COMMANDS = 100_000
const CONNECTIONS = 8

export const memoryCommands = {
  name: 'memory: growth after 100,000 commands',
  unit: 'MiB',
  better: 'lower',
  bar: 64,
  dream: null,
  async measure(context) {
    const { pid, connect } = await context.startDaemon()
    await connect().exec({ cmd: '/info', topic: 'main' })
    const before = await residentMiB(pid)
    const turns = Array.from({ length: CONNECTIONS }, (_, index) => alternate(connect(), `topic-${index}`))
    await Promise.all(turns)
    return { base: null, ours: (await residentMiB(pid)) - before }
  },
}

async function alternate(connection, topic) {
  const commands = ['/info', '/open note.md']
  for (let count = 0; count < COMMANDS / CONNECTIONS; count += 1) {
    await connection.exec({ cmd: commands[count % commands.length], topic })
  }
}
