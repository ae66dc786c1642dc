import { compareCalls } from '../lib/rounds.mjs'
import { DETAIL, idOf, overTurn, STAGES, turnOf } from '../lib/stored-turns.mjs'

const ROUNDS = 15
const CALLS = 60
const PAGE = { agentId: 'default', session: null, state: null, since: null, before: null, limit: 50 }

/** The engine itself: what a daemon adds is the same however much is stored. */
export const storeTurns = Object.entries(STAGES).flatMap(([engine, stage]) => [
  row(`${engine} with 100,000 turns: claim and settle`, stage, claimAndSettle),
  row(
    `${engine} with 100,000 turns: list`,
    stage,
    ({ store }) =>
      () =>
        store.turns.list(PAGE),
  ),
])

function row(name, stage, callOf) {
  const measure = async (_, { small, grown }) =>
    compareCalls({ rounds: ROUNDS, calls: CALLS, base: await callOf(small), ours: await callOf(grown) })
  return { name, unit: 'µs', better: 'lower', bar: 3, dream: 1.5, stage, measure }
}

async function claimAndSettle({ store: { turns }, next }) {
  const ids = Array.from({ length: ROUNDS * CALLS }, (_, index) => idOf(next + index))
  await Promise.all(ids.map((id) => turns.add(turnOf(id))))
  return async () => {
    const turn = await turns.claim(ids.shift(), 'bench', new Date().toISOString())
    if (!(await turns.settle(overTurn(turn), DETAIL))) throw new Error(`${turn.id} was not settled`)
  }
}
