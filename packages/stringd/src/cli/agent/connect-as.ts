import { HttpError, type StringClient } from '@string-os/client'
import { DEFAULT_AGENT, isAgentId, quoted } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { ask } from '../ask.ts'
import { connect } from '../daemon/connect.ts'
import { CliError, EXIT, noSuchThing } from '../exit.ts'
import { checkAgent, noSuchAgent } from './known-agent.ts'

/**
 * A client that speaks for the agent that was named. One that does not exist may be mistyped: it is made when that is
 * said, or when a person who is asked wants it. The default agent is always made.
 */
export async function connectAs({ create }: Invocation, config: Config): Promise<StringClient> {
  const client = await connect(config)
  const { agent } = config
  // What is no name at all is refused by the daemon.
  if (create || agent === DEFAULT_AGENT || !isAgentId(agent) || (await exists(client, agent))) return client
  const said = await noSuchAgent(client, agent)
  const isWanted = await ask(`${said} Make ${quoted(agent)}?`)
  if (isWanted === true) return client
  if (isWanted === false) throw new CliError(EXIT.usage, 'Nothing was done')
  const next = `--create makes it, as does string agent add ${agent}; string agent list shows all`
  throw noSuchThing(`${said} ${next}`)
}

/** The same for who only reads: nothing is made for that unless it is said, and a name that nobody has is told as everywhere. */
export async function connectToRead(invocation: Invocation, config: Config): Promise<StringClient> {
  if (invocation.create) return connectAs(invocation, config)
  const client = await connect(config)
  if (isAgentId(config.agent)) await checkAgent(client, config.agent)
  return client
}

async function exists(client: StringClient, id: string): Promise<boolean> {
  try {
    await client.agents.get(id)
    return true
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return false
    throw error
  }
}
