import type { StringClient } from '@string-os/client'

/** Where the agent is at home; null where nobody says it. */
export async function homeOf(client: StringClient): Promise<string | null> {
  return client.agents.get(client.agent).then(
    ({ home }) => home,
    () => null,
  )
}
