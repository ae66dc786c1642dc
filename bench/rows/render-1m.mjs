import { loadRender, milliseconds, sampleDocument } from '../lib/render.mjs'
import { compare } from '../lib/rounds.mjs'

export const render1m = {
  name: 'render a document of 1 MB, against 100 KB',
  unit: 'ms',
  better: 'lower',
  bar: 12,
  dream: null,
  async measure() {
    const render = await loadRender()
    const [small, large] = [sampleDocument(100_000), sampleDocument(1_000_000)]
    const sides = {
      rounds: 9,
      better: 'lower',
      base: () => milliseconds(render, small),
      ours: () => milliseconds(render, large),
    }
    return compare(sides)
  },
}
