import { count, LIMITS } from '@string-os/protocol'
import type { Environment } from '../channels/read-channels.ts'
import { envFilePath, howToSet, lookAtEnvFile } from '../shell/env-file.ts'
import type { Agent } from '../store/agents.ts'
import { withheldByAll } from '../turns/check-profile.ts'
import { profilePath } from '../turns/profile-of.ts'
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

export function envChecks({ dataDir, agents }: EnvParts): readonly Check[] {
  return [{ name: 'env', look: () => env({ dataDir, agents }) }]
}

interface EnvParts {
  readonly dataDir: string
  readonly agents: () => readonly Agent[] | Promise<readonly Agent[]>
}

async function env({ dataDir, agents }: EnvParts): Promise<Seen | readonly Seen[]> {
  const { variables, problems } = lookAtEnvFile(envFilePath(dataDir))
  if (problems.length > 0) return problems.map((problem) => seenWarn(problem, MEND))
  const names = Object.keys(variables)
  if (names.length === 0) return seenOk('sets no variables yet')
  const known = (await agents()).slice(0, LIMITS.doctorAgents)
  const set = `sets ${count(names.length, 'variable')} for shells and channels, and for agents whose profiles name them`
  return seenOk(
    `${set}${await notNamed(
      known.flatMap((agent) => profilePath(agent) ?? []),
      names,
    )}`,
  )
}

/** A shell may be all that it is for, so this is no fault; whoever set one for an agent looks here. */
async function notNamed(paths: readonly string[], names: readonly string[]): Promise<string> {
  if (paths.length === 0) return ''
  const withheld = await withheldByAll(paths, names)
  return withheld.names.length === 0
    ? ''
    : `; no agent gets ${withheld.names.join(', ')}: that takes ${withheld.line} in its profile`
}

const MEND = 'mend the line; it counts from the next turn and the next shell on'
