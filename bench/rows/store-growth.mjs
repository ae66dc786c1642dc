import { measureGrowth, STAGES, WORK } from '../lib/growth.mjs'

/** A store with 1,000,000 events beside one with a few pages of them; what adds to it comes last. */
export const storeGrowth = Object.entries(STAGES).flatMap(([engine, stage]) =>
  Object.entries(WORK).map(([name, work]) => ({
    name: `${engine} with 1,000,000 events: ${name}`,
    unit: 'µs',
    better: 'lower',
    bar: 3,
    dream: 1.5,
    stage,
    measure: (_, sides) => measureGrowth(sides, work),
  })),
)
