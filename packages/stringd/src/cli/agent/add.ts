import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type AgentActivity, HttpError, type StringClient } from '@string-os/client'
import { visibleLine } from '@string-os/protocol'
import { ask } from '../ask.ts'
import { CliError, EXIT } from '../exit.ts'
import { profileFile } from './agent-state.ts'
import { warnAll } from './allow.ts'
import { allowedFolders, listed } from './allowed-folders.ts'

export interface AddRequest {
  readonly id: string
  readonly home: string | undefined
  /** Folders that it may use too, and no more. */
  readonly allow: readonly string[] | undefined
  readonly disallow: readonly string[] | undefined
  readonly profile: string | undefined
  readonly yes: boolean
}

/** Makes an agent or changes one; another home or profile is asked about: the name may be taken without one knowing. */
export async function addAgent(client: StringClient, request: AddRequest, json: boolean): Promise<string> {
  const { id, allow = [], disallow = [], yes } = request
  const [home, profile] = [request.home, request.profile].map((path) =>
    path === undefined ? undefined : resolve(path),
  )
  const before = await agentBefore(client, id)
  const isOther = allow.length + disallow.length > 0
  const allowedPaths = allowedFolders(id, before?.allowedPaths ?? [], { allow, disallow })
  const isMade = home !== undefined && !existsSync(home)
  const fields = {
    ...(home === undefined ? {} : { home }),
    ...(isOther ? { allowedPaths } : {}),
    ...(profile === undefined ? {} : { profile }),
  }
  if (before !== null && !yes) {
    // Nobody is asked about what would be refused.
    await client.agents.check(id, fields)
    await makeSure(before, home, profile)
  }
  const registered = await client.agents.register(id, fields)
  if (json) return JSON.stringify({ ...registered, ...(isOther ? { allowed_paths: allowedPaths } : {}) })
  const { warnings = [], brings = [] } = registered
  const notes = [
    ...(isMade ? [`the folder ${registered.home} was made`] : []),
    ...(before === null ? [] : changes(before, registered.home, profile)),
    ...(isOther ? [`beside its home it may use: ${listed(allowedPaths)}`] : []),
    ...brings.map((path: string) => `${path} is used from now on`),
  ]
  warnAll(warnings)
  for (const text of notes) process.stderr.write(`note: ${visibleLine(text)}\n`)
  const isSame = before !== null && !registered.created && notes.length === 0
  const done = isSame
    ? `${id} was there already; nothing is changed`
    : `${registered.created ? 'Added' : 'Updated'} ${id}`
  return `${done} (home ${registered.home})`
}

async function agentBefore(client: StringClient, id: string): Promise<AgentActivity | null> {
  try {
    return await client.agents.get(id)
  } catch (error) {
    // Whatever else is wrong with the name is told by the registration.
    if (error instanceof HttpError && (error.status === 404 || error.status === 400)) return null
    throw error
  }
}

async function makeSure(before: AgentActivity, home: string | undefined, profile: string | undefined): Promise<void> {
  const { id } = before
  const old = profileFile(before)
  const replaced = [
    ...(home === undefined || home === before.home
      ? []
      : [`${id} lives in ${before.home}; its home becomes ${home}, and its files stay where they are.`]),
    ...(profile === undefined || old === null || profile === old
      ? []
      : [`${id} is there already, with the profile ${old}; that becomes ${profile}.`]),
  ]
  if (replaced.length === 0) return
  const change = replaced.join(' ')
  const answer = await ask(`${change} Change it?`)
  if (answer === true) return
  if (answer === false) throw new CliError(EXIT.usage, 'Nothing was done')
  const hint = '--yes changes it'
  throw new CliError(EXIT.usage, `${visibleLine(change)} ${hint}`, { hint })
}

/** What is another than before. */
function changes(before: AgentActivity, home: string, profile: string | undefined): string[] {
  const isOther = profile !== undefined && profile !== before.profile
  return [
    ...(home === before.home ? [] : [`home: ${before.home} → ${home}`]),
    ...(isOther ? [`profile: ${before.profile ?? '(none)'} → ${profile}`] : []),
  ]
}
