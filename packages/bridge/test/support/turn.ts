import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { parseProfile, runTurn, type TurnOptions, type TurnRequest, type TurnResult } from '@string-os/bridge'
import { familyMembers } from '@string-os/bridge/reap'
import { expect } from 'vitest'
import { tempDir } from '../../../../test/support/temp.ts'

/** Little agent programs, named after what they do. */
export const AGENTS = join(import.meta.dirname, '../../../../test/agents')

export interface Turned {
  readonly result: TurnResult
  readonly partials: readonly string[]
  readonly warnings: readonly string[]
}

export type Extras = Partial<TurnRequest> & Partial<TurnOptions>

/** Runs one turn of a profile that stands beside the agents, and looks whether it left a process behind. */
export async function turn(yaml: string, extras: Extras = {}): Promise<Turned> {
  const reading = parseProfile(yaml, join(AGENTS, 'profile.yaml'))
  if (!reading.ok) throw new Error(`The profile is refused: ${JSON.stringify(reading.problems)}`)
  const [partials, warnings]: [string[], string[]] = [[], []]
  const { message = 'hello', sessionId = null, sessionName = 'default', fromUser = 'tester', attachments = [] } = extras
  const owner = `test:${randomUUID()}/`
  const request = { message, sessionId, sessionName, fromUser, attachments }
  const home = tempDir()
  const result = await runTurn(reading.profile, request, {
    cwd: home,
    environment: { PATH: process.env.PATH, HOME: home },
    owner,
    onPartial: (text) => partials.push(text),
    onWarning: (text) => warnings.push(text),
    ...extras,
  })
  expect(familyMembers({ owner: extras.owner ?? owner })).toEqual([])
  return { result, partials, warnings }
}

/** A profile of an agent whose arguments are given as JSON, which is YAML too. */
export function profile(agent: string, args: readonly string[] = [], more = ''): string {
  return `command: ./${agent}\nargs: ${JSON.stringify(args)}\n${more}`
}

/** One variable of what print-variables.sh printed; undefined: it is not set. */
export function variable({ result }: Turned, name: string): string | undefined {
  const line = result.reply.split('\n').find((each) => each.startsWith(`${name}=`))
  return line?.slice(name.length + 1)
}

/** Agents in Python need one; where it is missing, that is said. */
export const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) console.warn('SKIPPED: tests with agents in Python, because python3 is missing')
