import { loadRender, milliseconds } from '../lib/render.mjs'

/** As much as a worker parses before the next document gets its turn; far less is parsed where it holds up everyone else. */
const CHARS = 256 * 1024

const UNITS = [
  '*a_ ',
  '[',
  '![',
  '[[a]',
  '[a](',
  '[a](b) [',
  '[a][b]\n',
  '[a]: b\n',
  '# a\n',
  '- a\n',
  '1) x\n',
  '> > a\n',
  'a|b\n',
  '|',
  '`',
  '<',
  '<!--',
  '<![CDATA[',
  '\\',
  '&amp;',
  '\n',
  'a\n\n',
  '=\n',
  '-\n',
  '```\n',
  '<!-- #a -->\n',
  '[x](https://a.example) ',
  '[@a A](b.md)\n\n',
  '[!nav:a](b.md)\n',
]
const LEADS = ['', '[a]: b\n\n', '| a | b |\n|---|---|\n| ', '---\n']

export const renderHostile = {
  name: 'render: the worst hostile text of a small document',
  unit: 'ms',
  better: 'lower',
  bar: 1_000,
  dream: 500,
  async measure() {
    const render = await loadRender()
    const times = LEADS.flatMap((lead) =>
      UNITS.map((unit) => best(render, (lead + unit.repeat(CHARS / unit.length)).slice(0, CHARS))),
    )
    return { base: null, ours: Math.max(...times) }
  },
}

function best(render, text) {
  return Math.min(milliseconds(render, text), milliseconds(render, text))
}
