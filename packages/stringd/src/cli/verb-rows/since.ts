import type { FlagText } from '../verb-row.ts'

/** From when on a list tells, wherever there is one. */
export const SINCE: FlagText = {
  name: 'since',
  value: 'WHEN',
  takes: ['30m', '12h', '1d', '7d', 'today', 'yesterday'],
  summary: '30m, 12h, 7d ago, today, yesterday, a day or time',
}
