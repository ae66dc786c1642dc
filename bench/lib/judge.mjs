/** Adds the ratio (or the plain value, where there is no base) and what it is worth: dream, ok or MISSED; `told` without a bar. */
export function judge({ name, unit, better, bar, dream, allowance = 0 }, { base, ours }) {
  const ratio = base === null ? null : (ours - allowance) / base
  const value = ratio ?? ours
  const reaches = (goal) => (better === 'lower' ? value <= goal : value >= goal)
  const verdict = bar === null ? 'told' : !reaches(bar) ? 'MISSED' : dream !== null && reaches(dream) ? 'dream' : 'ok'
  return { name, unit, better, base, ours, ratio, bar, dream, allowance, verdict }
}
