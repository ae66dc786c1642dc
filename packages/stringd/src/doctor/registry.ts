import { join } from 'node:path'
import { count } from '@string-os/protocol'
import { type Agent, peekAgents } from '../store/agents.ts'
import { type Check, seenFail, seenOk } from './check.ts'

/** The agents of a data folder that no daemon serves. */
export function storedAgents(dataDir: string): readonly Agent[] {
  return peekAgents(join(dataDir, 'agents.json')).agents
}

export function registryCheck(dataDir: string): Check {
  const path = join(dataDir, 'agents.json')
  return {
    name: 'agents',
    look: async () => {
      const { agents, lost } = peekAgents(path)
      if (lost === null) return seenOk(`${count(agents.length, 'agent')} registered`)
      return seenFail(
        `${path} is damaged: ${lost}`,
        'restore it from a backup before a daemon starts, which goes on with what is whole',
      )
    },
  }
}
