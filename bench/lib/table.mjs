import { shownGoal, shownRatio, shownValue } from './format.mjs'

const HEADINGS = ['what', 'base', 'ours', 'ratio', 'bar', 'dream', 'verdict']

export function table(results) {
  const lines = [HEADINGS, ...results.map(cells)]
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  const shown = lines.map((line) =>
    line
      .map((cell, column) => pad(cell, widths[column], column))
      .join('  ')
      .trimEnd(),
  )
  return [shown[0], widths.map((width) => '─'.repeat(width)).join('  '), ...shown.slice(1)].join('\n')
}

function cells(result) {
  const { name, unit, base, ours, bar, dream, verdict } = result
  return [
    name,
    shownValue(base, unit),
    shownValue(ours, unit),
    result.ratio === null ? '–' : shownRatio(result),
    shownGoal(result, bar),
    shownGoal(result, dream),
    verdict,
  ]
}

function pad(cell, width, column) {
  const isText = column === 0 || column === HEADINGS.length - 1
  return isText ? cell.padEnd(width) : cell.padStart(width)
}
