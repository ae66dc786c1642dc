import { channelFiles } from '../channels/channel-files.ts'
import type { Environment } from '../channels/read-channels.ts'
import { howToSet } from '../shell/env-file.ts'
import type { Agent } from '../store/agents.ts'
import type { StoreName } from '../store/store-name.ts'
import { createProfileCheck } from '../turns/check-profile.ts'
import { agentChecks } from './agents.ts'
import type { Check } from './check.ts'
import { dataFolderChecks } from './data-folder.ts'
import { envChecks } from './env.ts'
import { limitChecks } from './limits.ts'
import { machineChecks } from './machine.ts'
import { shellChecks } from './shell.ts'

export interface Examined {
  readonly dataDir: string
  readonly store: StoreName
  readonly agents: () => readonly Agent[] | Promise<readonly Agent[]>
  readonly environment: () => Environment
}

/** What is left to look at where there can be no data folder: one finding tells of that. */
export function homelessChecks({ dataDir, store }: Pick<Examined, 'dataDir' | 'store'>): readonly Check[] {
  const [folder] = dataFolderChecks(dataDir, store)
  return [...(folder === undefined ? [] : [folder]), ...shellChecks(), ...machineChecks()]
}

/** What a daemon and a command line without one can look at alike. */
export function commonChecks({ dataDir, store, agents, environment }: Examined): readonly Check[] {
  return [
    ...dataFolderChecks(dataDir, store),
    ...envChecks({ dataDir, agents }),
    ...shellChecks(),
    ...agentChecks({
      agents,
      checkProfile: createProfileCheck(environment, howToSet(dataDir)),
      channels: channelFiles(dataDir, environment),
    }),
    ...limitChecks(dataDir),
    ...machineChecks(),
  ]
}
