import { compare } from '../lib/rounds.mjs'
import { DETAIL, idOf, overTurn, STAGES, turnOf } from '../lib/stored-turns.mjs'
import { medianMicroseconds } from '../lib/webhook.mjs'

const AT_ONCE = 100
const ROUNDS = 9
const PAGE = { agentId: 'default', session: null, state: null, since: null, before: null, limit: 50 }

/** The engine itself: what a daemon adds is the same however much is stored. */
export const storeTurns = Object.entries(STAGES).flatMap(([engine, stage]) => [
  row(`${engine} with 100,000 turns: claim and settle`, stage, claimAndSettle),
  row(`${engine} with 100,000 turns: list`, stage, ({ store }) =>
    medianMicroseconds(AT_ONCE, () => store.turns.list(PAGE)),
  ),
])

function row(name, stage, work) {
  const measure = (_, { small, grown }) =>
    compare({ rounds: ROUNDS, better: 'lower', base: () => work(small), ours: () => work(grown) })
  return { name, unit: 'µs', better: 'lower', bar: 3, dream: 1.5, stage, measure }
}

async function claimAndSettle(side) {
  const { turns } = side.store
  const ids = Array.from({ length: AT_ONCE }, (_, index) => idOf(side.next + index))
  side.next += AT_ONCE
  await Promise.all(ids.map((id) => turns.add(turnOf(id))))
  return medianMicroseconds(AT_ONCE, async (index) => {
    const turn = await turns.claim(ids[index], 'bench', new Date().toISOString())
    if (!(await turns.settle(overTurn(turn), DETAIL))) throw new Error(`${turn.id} was not settled`)
  })
}
