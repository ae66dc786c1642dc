import type { TurnView } from '@string-os/client'
import { FAILED_STATES } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { envFilePath, variablesOfFile } from '../../doctor/env.ts'

/** Of a turn without an answer: what its agent asks for on standard error, is set, and does not reach it. Null: nothing. */
export async function missingVariables(turn: TurnView, profile: string, { dataDir }: Config): Promise<string | null> {
  const isWithout = FAILED_STATES.includes(turn.state) || turn.result?.silent === true
  const words = new Set(isWithout ? turn.stderr.match(/\w+/g) : [])
  const named = namesOfFile(dataDir).filter((name) => words.has(name))
  if (named.length === 0) return null
  const { handOnText, loadProfile, withheldVariables } = await import('@string-os/bridge')
  const reading = await loadProfile(profile, 'daemon')
  const withheld = reading.ok ? withheldVariables(reading.profile, named) : []
  if (!reading.ok || withheld.length === 0) return null
  const isOne = withheld.length === 1
  const where = `${withheld.join(', ')} ${isOne ? 'is' : 'are'} set in ${envFilePath(dataDir)}`
  return `${where}, and the agent does not get ${isOne ? 'it' : 'them'}: write ${handOnText(reading.profile, withheld)} into ${profile}`
}

/** Whether it can be read is told where the file is looked at. */
function namesOfFile(dataDir: string): readonly string[] {
  try {
    return Object.keys(variablesOfFile(dataDir))
  } catch {
    return []
  }
}
