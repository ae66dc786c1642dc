import { isFields } from './json.ts'
import { LIMITS } from './limits.ts'

/** The variables by which programs choose a pager, and by which the usual one is told how to behave. */
export const PAGER_NAMES = ['PAGER', 'GIT_PAGER', 'MANPAGER', 'SYSTEMD_PAGER', 'LESS', 'SYSTEMD_LESS'] as const

/** What whoever sits before a terminal has set of them; those that are missing are for each program to choose. */
export type Pagers = Readonly<Partial<Record<(typeof PAGER_NAMES)[number], string>>>

/** Null where somebody has put something else there; a name that is none of them is nobody's. */
export function parsePagers(value: unknown): Pagers | null {
  if (!isFields(value)) return null
  const given = PAGER_NAMES.map((name) => [name, value[name] ?? null] as const).filter(([, text]) => text !== null)
  return given.every(isNamedPager) ? Object.fromEntries(given) : null
}

function isNamedPager(pair: readonly [string, unknown]): pair is readonly [string, string] {
  return isPager(pair[1])
}

/** It is typed into a terminal, whose lines are short. */
export function isPager(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LIMITS.pagerBytes && /^[ -~]*$/.test(value)
}
