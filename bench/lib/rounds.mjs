/** The best of each side. The sides take turns, so that whatever slows the machine for a while slows both. */
export async function compare({ rounds, better, base, ours }) {
  const best = better === 'lower' ? Math.min : Math.max
  const values = { base: [], ours: [] }
  for (let round = 0; round < rounds; round += 1) {
    values.base.push(await base())
    values.ours.push(await ours())
  }
  return { base: best(...values.base), ours: best(...values.ours) }
}
