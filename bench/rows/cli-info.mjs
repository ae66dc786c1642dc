import { join } from 'node:path'
import { timeNode } from '../lib/processes.mjs'
import { compare } from '../lib/rounds.mjs'

export const cliInfo = {
  name: 'string main /info',
  unit: 'ms',
  better: 'lower',
  bar: 1.7,
  dream: 1.4,
  async measure(context) {
    const { env } = await context.startDaemon()
    const program = join(context.programs, 'bin/string.cjs')
    return compare({
      rounds: 25,
      better: 'lower',
      base: () => timeNode(['-e', '0'], env),
      ours: () => timeNode([program, 'main', '/info'], env),
    })
  },
}
