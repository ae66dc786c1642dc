import { StringClient } from '@string-os/client'
import type { Config } from '../../config.ts'
import { daemonStarter, ensureDaemon } from '../daemon/find-daemon.ts'

/** How a chat speaks to the daemon. One that went away is started again by the next message; a turn that is followed starts none. */
export interface DaemonLine {
  /** How to speak to it for one of its agents. */
  readonly clientOf: (agentId: string) => StringClient
  /** Whether another daemon answers than the last time that this was asked. */
  readonly isAnother: () => boolean
}

export async function daemonLine(config: Config): Promise<DaemonLine> {
  const { port } = await ensureDaemon(config)
  const clients = new Map<string, StringClient>()
  let wasReplaced = false
  const autoStart = daemonStarter(
    () => config,
    () => {
      wasReplaced = true
    },
  )
  return {
    clientOf: (agent) => {
      const client = clients.get(agent) ?? new StringClient({ port, agent, create: true, autoStart })
      clients.set(agent, client)
      return client
    },
    isAnother: () => {
      const isOther = wasReplaced
      wasReplaced = false
      return isOther
    },
  }
}
