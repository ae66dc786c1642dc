/** Adds the ratio (or the plain value, where there is no base) and what it is worth: dream, ok or MISSED. */
export function judge({ name, unit, better, bar, dream, allowance = 0 }, { base = null, ours = null, skipped = null }) {
  const row = { name, unit, better, base, ours, bar, dream, allowance }
  if (skipped !== null) return { ...row, ratio: null, verdict: 'SKIPPED', skipped }
  const ratio = base === null ? null : (ours - allowance) / base
  const value = ratio ?? ours
  const reaches = (goal) => (better === 'lower' ? value <= goal : value >= goal)
  const verdict = !reaches(bar) ? 'MISSED' : dream !== null && reaches(dream) ? 'dream' : 'ok'
  return { ...row, ratio, verdict }
}
