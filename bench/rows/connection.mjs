import { connectionCost, startEntrances } from '../lib/entrance.mjs'
import { compare } from '../lib/rounds.mjs'

const KEY = 'key'

/** What a connection costs the daemon's processor at 500 a second, beside the same server that serves everybody. */
export const connectionKeyed = {
  name: 'connection with the key, 500/s: CPU',
  unit: 'µs',
  better: 'lower',
  bar: 1.1,
  dream: 1.03,
  measure: (context) => measure(context, { rounds: 5, seconds: 4, key: KEY }),
}

/** Without the key the system's table is read, for which a fifth of a processor is allowed: 400 µs of each connection. */
export const connectionLookedUp = {
  name: 'connection without a key, 500/s: CPU',
  unit: 'µs',
  better: 'lower',
  bar: 1.3,
  dream: 1.1,
  allowance: 400,
  measure: (context) => measure(context, { rounds: 3, seconds: 10, key: null }),
}

async function measure(context, { rounds, seconds, key }) {
  const { open, guarded } = await startEntrances(context, KEY)
  const cost = async (server) => {
    // What was saved up by resting is used up first.
    await connectionCost(server, { seconds: 2, key })
    return (await connectionCost(server, { seconds, key })).microseconds
  }
  return compare({ rounds, better: 'lower', base: () => cost(open), ours: () => cost(guarded) })
}
