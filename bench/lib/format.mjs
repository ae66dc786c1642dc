/** `1.23 ×`, or the value with its unit where there is no base. */
export function shownRatio({ ratio, ours, unit }) {
  return ratio === null ? shownValue(ours, unit) : `${ratio.toFixed(2)} ×`
}

export function shownGoal({ ratio, better, unit, allowance }, goal) {
  if (goal === null) return '–'
  const extra = allowance === 0 ? '' : ` + ${allowance} ${unit}`
  return `${better === 'lower' ? '≤' : '≥'} ${ratio === null ? `${goal} ${unit}` : `${goal} ×${extra}`}`
}

export function shownValue(value, unit) {
  return value === null ? '–' : `${value.toFixed(value >= 1000 ? 0 : 1)} ${unit}`
}
