import { shownGoal, shownRatio } from './format.mjs'

const WIDTH = 960
const LEFT = 400
const BAR_LIMIT = 300
const ROW_HEIGHT = 26
const TOP = 68

/** A bar is green up to this share of what is allowed. */
const FAR = 0.5

const LEGEND = [
  ['far', 'at most half of what the bar allows'],
  ['kept', 'keeps the bar'],
  ['missed', 'misses it'],
]

const STYLE = `text { font: 13px system-ui, sans-serif; fill: #24292f }
.note { fill: #57606a; font-size: 12px }
.far { fill: #2da44e } .kept { fill: #4493f8 } .missed { fill: #e5534b }
line { stroke: #57606a; stroke-dasharray: 4 3 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .note { fill: #9198a1 } line { stroke: #9198a1 }
}`

/** Every row as a share of what its bar allows, so that ratios, rates and sizes stand on one scale. */
export function chart(results) {
  const height = TOP + results.length * ROW_HEIGHT + 12
  const limit = LEFT + BAR_LIMIT
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}">
<title>Benchmark results</title>
<style>${STYLE}</style>
${legend()}
<text x="${LEFT}" y="44" class="note">share of what the bar allows (shorter is better)</text>
<text x="${limit}" y="60" class="note" text-anchor="middle">bar</text>
${results.map(row).join('\n')}
<line x1="${limit}" x2="${limit}" y1="${TOP - 4}" y2="${height - 8}"/>
</svg>
`
}

function legend() {
  const places = [LEFT, LEFT + 240, LEFT + 360]
  return LEGEND.map(
    ([name, text], index) =>
      `<rect x="${places[index]}" y="9" width="12" height="12" rx="3" class="${name}"/><text x="${places[index] + 18}" y="20" class="note">${text}</text>`,
  ).join('\n')
}

/** By length alone, so that what is seen is what the legend says. */
function colour(result) {
  if (result.verdict === 'MISSED') return 'missed'
  return share(result) <= FAR ? 'far' : 'kept'
}

function row(result, index) {
  const y = TOP + index * ROW_HEIGHT
  const width = Math.round(Math.min(share(result), 1.15) * BAR_LIMIT)
  const goal = `${shownRatio(result)} (${shownGoal(result, result.bar)})`
  return `<text x="${LEFT - 10}" y="${y + 14}" text-anchor="end">${escapeXml(result.name)}</text>
<rect x="${LEFT}" y="${y}" width="${width}" height="18" rx="3" class="${colour(result)}"/>
<text x="${LEFT + BAR_LIMIT * 1.15 + 10}" y="${y + 14}">${escapeXml(goal)}</text>`
}

function share({ ratio, ours, bar, better }) {
  const value = ratio ?? ours
  return better === 'lower' ? Math.max(value, 0) / bar : bar / value
}

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
