import { loadRender, milliseconds, sampleDocument } from '../lib/render.mjs'

export const render100k = {
  name: 'render a document of 100 KB',
  unit: 'ms',
  better: 'lower',
  bar: 50,
  dream: null,
  async measure() {
    const render = await loadRender()
    const text = sampleDocument(100_000)
    const times = Array.from({ length: 11 }, () => milliseconds(render, text))
    return { base: null, ours: Math.min(...times) }
  },
}
