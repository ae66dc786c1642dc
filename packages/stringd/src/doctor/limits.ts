import { join } from 'node:path'
import { lookAtDataCaps } from '../turns/data-caps.ts'
import { type Check, type Seen, seenFail, seenOk } from './check.ts'

export function limitChecks(dataDir: string): readonly Check[] {
  return [{ name: 'limits', look: async () => limits(join(dataDir, 'config.yaml')) }]
}

/** What guards money must not be ignored without a word. */
function limits(path: string): Seen | readonly Seen[] {
  const { caps, problems } = lookAtDataCaps(path)
  if (problems.length > 0)
    return problems.map((problem) => seenFail(`${path}: ${problem}`, 'Mend the line; it counts from the next turn on'))
  const shown = Object.entries(caps).map(([name, number]) => `${name}: ${number}`)
  return seenOk(shown.length === 0 ? 'none for all agents' : shown.join(', '))
}
