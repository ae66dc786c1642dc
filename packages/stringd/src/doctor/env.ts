import { count } from '@string-os/protocol'
import type { Environment } from '../channels/read-channels.ts'
import { envFilePath, howToSet, lookAtEnvFile } from '../shell/env-file.ts'
import { type Check, type Seen, seenOk, seenWarn } from './check.ts'

export { envFilePath, howToSet }

/** What the file gives to shells, agents and channels. */
export function variablesOfFile(dataDir: string): Environment {
  return lookAtEnvFile(envFilePath(dataDir)).variables
}

/** What a daemon that was started here would hand to agents. */
export function storedEnvironment(dataDir: string, own: Environment): Environment {
  return { ...own, ...variablesOfFile(dataDir) }
}

/** What is wrong with lines of the file. One that cannot be read at all is told where files with secrets are looked at. */
export function envProblems(dataDir: string): readonly string[] {
  try {
    return lookAtEnvFile(envFilePath(dataDir)).problems
  } catch {
    return []
  }
}

export function envChecks(dataDir: string): readonly Check[] {
  return [{ name: 'env', look: async () => env(dataDir) }]
}

function env(dataDir: string): Seen | readonly Seen[] {
  const { variables, problems } = lookAtEnvFile(envFilePath(dataDir))
  if (problems.length > 0) return problems.map((problem) => seenWarn(problem, MEND))
  const names = Object.keys(variables).length
  return seenOk(
    names === 0 ? 'sets no variables yet' : `sets ${count(names, 'variable')} for shells, agents and channels`,
  )
}

const MEND = 'mend the line; it counts from the next turn and the next shell on'
