import { decodeCost, lineCost, pieces } from '../lib/chanflow.mjs'
import { compare } from '../lib/rounds.mjs'

export const chanFlowDecode = {
  name: 'ChanFlow: decode a stream, against splitting it into lines',
  unit: 'ns/B',
  better: 'lower',
  bar: 3,
  dream: 2,
  async measure() {
    const chunks = pieces(200_000)
    const sides = { rounds: 50, better: 'lower', base: () => lineCost(chunks), ours: () => decodeCost(chunks) }
    return compare(sides)
  },
}

/** A decoder that looked back at what it has seen would be slower at the end of a long stream than at its start. */
export const chanFlowFlat = {
  name: 'ChanFlow: decode behind 60,000 chunks, against the first ones',
  unit: 'ns/B',
  better: 'lower',
  bar: 1.3,
  dream: 1.1,
  async measure() {
    const [chunks, before] = [pieces(200_000), pieces(4_000_000)]
    const sides = {
      rounds: 25,
      better: 'lower',
      base: () => decodeCost(chunks),
      ours: () => decodeCost(chunks, before),
    }
    return compare(sides)
  },
}
