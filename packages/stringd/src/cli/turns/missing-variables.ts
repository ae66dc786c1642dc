import type { Profile } from '@string-os/bridge'
import type { TurnView } from '@string-os/client'
import { FAILED_STATES } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { envFilePath } from '../../doctor/env.ts'
import { profileEnvironments, variableNames } from '../bridge/profile-environment.ts'
import { askedVariables } from './asked-variables.ts'

/** Of a turn without an answer: what its agent asks for on standard error and does not get, and what to write where. Null: nothing. */
export async function missingVariables(turn: TurnView, profile: string, config: Config): Promise<string | null> {
  const isWithout = FAILED_STATES.includes(turn.state) || turn.result?.silent === true
  if (!isWithout || turn.stderr === '') return null
  const words = new Set(turn.stderr.match(/\w+/g))
  const inFile = variableNames(config).filter((name) => words.has(name))
  const asked = askedVariables(turn.stderr).filter((name) => !inFile.includes(name))
  if (inFile.length + asked.length === 0) return null
  const { handOnText, loadProfile, withheldVariables } = await import('@string-os/bridge')
  const reading = await loadProfile(profile, 'daemon')
  if (!reading.ok) return null
  // What the daemon was started with is not known everywhere; the file counts more in any case.
  const inDaemon = profileEnvironments(config).inDaemon ?? {}
  const unset = asked.filter((name) => inDaemon[name] === undefined && !isOwn(name, reading.profile))
  const withheld = withheldVariables(reading.profile, [...inFile, ...asked])
  const isHere = (name: string): boolean => withheld.includes(name) && !unset.includes(name)
  const path = envFilePath(config.dataDir)
  const what = [
    ...said(unset, 'set nowhere', ''),
    ...said(inFile.filter(isHere), `set in ${path}`, NOT_GIVEN),
    ...said(asked.filter(isHere), 'set where stringd was started', NOT_GIVEN),
  ]
  const steps = [
    ...(unset.length === 0 ? [] : [`${unset.map((name) => `${name}=…`).join(' and ')} into ${path}`]),
    ...(withheld.length === 0 ? [] : [`${handOnText(reading.profile, withheld)} into ${profile}`]),
  ]
  return steps.length === 0 ? null : `${what.join('; ')}: write ${steps.join(', and ')}`
}

const NOT_GIVEN = ', and the agent does not get '

function said(names: readonly string[], where: string, and: string): string[] {
  if (names.length === 0) return []
  const isOne = names.length === 1
  const then = and === '' ? '' : `${and}${isOne ? 'it' : 'them'}`
  return [`${names.join(', ')} ${isOne ? 'is' : 'are'} ${where}${then}`]
}

/** The profile gives it a value that is not that of the same name outside. */
function isOwn(name: string, { env }: Profile): boolean {
  const value = env[name]
  return value !== undefined && !value.includes(`\${${name}}`)
}
