import { type AgentView, HttpError, type StringClient } from '@string-os/client'
import { DEFAULT_AGENT, visibleLine } from '@string-os/protocol'
import { allowedFolders, listed } from './allowed-folders.ts'
import { knownAgent } from './known-agent.ts'

export interface AllowRequest {
  readonly id: string
  readonly allow: readonly string[]
  readonly disallow: readonly string[]
}

/** Opens folders to an agent beside its home, or takes them back; without any it tells which are open. */
export async function allowFolders(client: StringClient, request: AllowRequest, json: boolean): Promise<string> {
  const { id, allow, disallow } = request
  const { home, allowedPaths: known } = await knownAgent(client, id, (name) => agentNow(client, name))
  const isOther = allow.length + disallow.length > 0
  const allowedPaths = isOther ? allowedFolders(id, known, { allow, disallow }) : known
  const { warnings = [] } = isOther ? await client.agents.register(id, { allowedPaths }) : {}
  warnAll(warnings)
  if (json) return JSON.stringify({ agent_id: id, allowed_paths: allowedPaths })
  return visibleLine(`beside its home ${home} ${id} may use: ${listed(allowedPaths)}`)
}

/** What the daemon has to say about what it was told. */
export function warnAll(warnings: readonly string[]): void {
  for (const text of warnings) process.stderr.write(`warning: ${visibleLine(text)}\n`)
}

/** The default agent is there as soon as it is needed. */
async function agentNow(client: StringClient, id: string): Promise<Pick<AgentView, 'home' | 'allowedPaths'>> {
  try {
    return await client.agents.get(id)
  } catch (error) {
    if (id !== DEFAULT_AGENT || !(error instanceof HttpError) || error.status !== 404) throw error
    await client.agents.register(id, {})
    return client.agents.get(id)
  }
}
