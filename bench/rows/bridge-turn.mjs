import { agentPath, bareSpawn, turnOf } from '../lib/bridge.mjs'
import { compare } from '../lib/rounds.mjs'

const TURNS = 20

export const bridgeTurn = {
  name: 'bridge: one turn of a trivial agent',
  unit: 'ms',
  better: 'lower',
  bar: 1.05,
  allowance: 1,
  dream: null,
  measure() {
    const turn = turnOf('./trivial.sh')
    const sides = {
      rounds: 15,
      better: 'lower',
      base: () => medianMilliseconds(() => bareSpawn(agentPath('trivial.sh'), [], () => {})),
      ours: () => medianMilliseconds(turn),
    }
    return compare(sides)
  },
}

async function medianMilliseconds(work) {
  const times = new Float64Array(TURNS)
  for (let index = 0; index < TURNS; index += 1) {
    const started = performance.now()
    await work()
    times[index] = performance.now() - started
  }
  return times.sort()[TURNS / 2]
}
