import { HttpError, type StringClient } from '@string-os/client'
import { DEFAULT_AGENT, quoted } from '@string-os/protocol'
import { CliError, EXIT } from '../exit.ts'

/** What is asked about an agent; one that is not there is told in the same words everywhere. */
export async function knownAgent<T>(id: string, ask: (id: string) => Promise<T>): Promise<T> {
  try {
    return await ask(id)
  } catch (error) {
    throw error instanceof HttpError && error.status === 404 ? unknownAgent(id) : error
  }
}

/** Refuses a name that nobody has; the default agent is there as soon as it is needed. */
export async function checkAgent(client: StringClient, id: string): Promise<void> {
  if (id !== DEFAULT_AGENT) await knownAgent(id, client.agents.get)
}

export function unknownAgent(id: string): CliError {
  return new CliError(EXIT.commandError, `Unknown agent: ${quoted(id)}; string agent list shows all`)
}
