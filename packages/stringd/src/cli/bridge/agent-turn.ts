import { realpathSync } from 'node:fs'
import { type Attachment, type Profile, runTurn, type TurnOptions, type TurnResult } from '@string-os/bridge'
import { type Config, ownEnvironment } from '../../config.ts'
import { workingDir } from '../working-dir.ts'
import { acceptProfile } from './accept-profile.ts'
import { type BridgeSessions, bridgeSessions, type SessionOwner } from './bridge-sessions.ts'
import { warn } from './turn-output.ts'

/** An agent to talk to: its profile, where and with what environment it runs, and what it said about its sessions. */
export interface AgentPlace {
  readonly profile: Profile
  readonly sessions: BridgeSessions
  readonly owner: SessionOwner
  readonly folders: Pick<TurnOptions, 'cwd' | 'cwdOverride'>
  readonly environment: Readonly<Record<string, string>>
}

export interface Saying {
  readonly message: string
  readonly sessionName: string
  /** Instead of the one that is stored; an empty one begins anew. */
  readonly sessionId?: string | undefined
  readonly fromUser?: string | undefined
  readonly attachments?: readonly Attachment[]
}

export type Hooks = Pick<TurnOptions, 'owner' | 'signal' | 'onPartial' | 'onWarning' | 'onPermission'>

/** The agent of a profile, to be run in `folder`; without one, where its profile says or where the person is. */
export async function findAgent(profilePath: string, folder: string | null, { dataDir }: Config): Promise<AgentPlace> {
  const folders = agentFolders(folder)
  const profile = await acceptProfile(profilePath, warn)
  const owner = { profile: profile.path, folder: folderOf(profile, folders) }
  return { profile, folders, owner, sessions: bridgeSessions(dataDir, warn), environment: ownEnvironment() }
}

/** A folder that was named counts more than that of a profile. */
export function agentFolders(named: string | null): AgentPlace['folders'] {
  const cwd = workingDir(named)
  return named === null ? { cwd } : { cwd, cwdOverride: cwd }
}

function folderOf(profile: Profile, { cwd, cwdOverride }: AgentPlace['folders']): string {
  if (cwdOverride !== undefined) return realpathSync(cwdOverride)
  return profile.cwd === null ? realpathSync(cwd) : ''
}

/** One turn in a session that goes on: the id comes from the last turn and is kept for the next, also when it failed. */
export async function takeTurn(place: AgentPlace, saying: Saying, hooks: Hooks): Promise<TurnResult> {
  const { profile, sessions, owner, folders, environment } = place
  const { message, sessionName, fromUser = '', attachments = [] } = saying
  const stored = sessions.find(owner, sessionName)
  const sessionId = saying.sessionId ?? stored
  const request = { message, sessionId, sessionName, fromUser, attachments }
  const result = await runTurn(profile, request, { ...folders, environment, ...hooks })
  if (result.session_id !== stored) await sessions.keep(owner, sessionName, result.session_id)
  return result
}
