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

/**
 * The best median of each side, in µs. Here the sides take turns with every call: a moment in which the machine is quiet
 * is one for both, however busy it is otherwise.
 */
export async function compareCalls({ rounds, calls, base, ours }) {
  const medians = { base: [], ours: [] }
  for (let round = 0; round < rounds; round += 1) {
    const times = { base: new Float64Array(calls), ours: new Float64Array(calls) }
    for (let index = 0; index < calls; index += 1) {
      times.base[index] = await microseconds(base)
      times.ours[index] = await microseconds(ours)
    }
    medians.base.push(times.base.sort()[Math.floor(calls / 2)])
    medians.ours.push(times.ours.sort()[Math.floor(calls / 2)])
  }
  return { base: Math.min(...medians.base), ours: Math.min(...medians.ours) }
}

async function microseconds(call) {
  const started = performance.now()
  await call()
  return (performance.now() - started) * 1000
}
