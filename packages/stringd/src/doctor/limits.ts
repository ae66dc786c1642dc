import { join } from 'node:path'
import { lookAtDataCaps } from '../turns/data-caps.ts'
import { type Check, type Seen, seenFail, seenOk } from './check.ts'

const MEND_LIMITS = 'Mend the line; it counts from the next turn on'

/** Why no agent takes a turn, as the file of the limits is now; nothing where it is well. */
export function limitProblems(dataDir: string): readonly string[] {
  const read = lookAtDataCaps(join(dataDir, 'config.yaml'))
  return read.ok ? [] : read.problems
}

export function limitChecks(dataDir: string): readonly Check[] {
  return [{ name: 'limits', look: async () => limits(join(dataDir, 'config.yaml')) }]
}

/** What guards money must not be ignored without a word. */
function limits(path: string): Seen | readonly Seen[] {
  const read = lookAtDataCaps(path)
  if (!read.ok) return read.problems.map((problem) => seenFail(problem, MEND_LIMITS))
  const shown = Object.entries(read.caps).map(([name, number]) => `${name}: ${number}`)
  return seenOk(shown.length === 0 ? 'none for all agents' : shown.join(', '))
}
