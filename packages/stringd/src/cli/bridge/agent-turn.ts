import { realpathSync } from 'node:fs'
import { type Profile, runTurn, type TurnOptions, type TurnRequest, type TurnResult } from '@string-os/bridge'
import type { ApprovalAnswer, ApprovalView, TurnStepView } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { workingDir } from '../working-dir.ts'
import { acceptProfile } from './accept-profile.ts'
import { type BridgeSessions, bridgeSessions, type SessionOwner } from './bridge-sessions.ts'
import { howToSetHere, profileEnvironments } from './profile-environment.ts'
import { warn } from './turn-output.ts'

/** An agent to talk to: its profile, where and with what environment it runs, and what it said about its sessions. */
export interface AgentPlace {
  readonly profile: Profile
  readonly sessions: BridgeSessions
  readonly owner: SessionOwner
  readonly folders: Pick<TurnOptions, 'cwd' | 'cwdOverride'>
  readonly environment: Readonly<Record<string, string>>
  readonly howToSet: (variable: string) => string
}

/** Who hears of a turn, and what may end it. */
export type TurnHooks = Pick<TurnOptions, 'owner' | 'signal' | 'onPartial' | 'onWarning' | 'onPermission'> & {
  /** Of an agent in the daemon, behind `signal`: nobody waits for it to end by itself. */
  readonly now?: AbortSignal
  /** Asks whoever sits here what an agent of the daemon asks; null: it was decided elsewhere meanwhile. */
  readonly onApproval?: (approval: ApprovalView, over: AbortSignal) => Promise<ApprovalAnswer | null>
  /** Of an agent in the daemon: how its turn stands. */
  readonly onNote?: (text: string) => void
  /** Of an agent in the daemon: the blocks that it had run. */
  readonly onStep?: (step: TurnStepView) => void
}

/** The agent of a profile, to be run in `folder`; without one, where its profile says or where the person is. */
export async function findAgent(profilePath: string, folder: string | null, config: Config): Promise<AgentPlace> {
  const folders = agentFolders(folder)
  const profile = await acceptProfile(profilePath, 'bridge', warn)
  const owner = { profile: profile.path, folder: folderOf(profile, folders) }
  const sessions = bridgeSessions(config.dataDir, warn)
  const { here: environment } = profileEnvironments(config)
  return { profile, folders, owner, sessions, environment, howToSet: howToSetHere(config) }
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

/**
 * One turn in a session that goes on: an id that is not given comes from the last turn, and the new one is kept for the
 * next, also when the turn failed.
 */
export async function takeTurn(place: AgentPlace, asked: TurnRequest, hooks: TurnHooks): Promise<TurnResult> {
  const { profile, sessions, owner, folders, environment, howToSet } = place
  const { message, sessionName, fromUser, attachments } = asked
  const stored = sessions.find(owner, sessionName)
  const request = { message, sessionName, fromUser, attachments, sessionId: asked.sessionId ?? stored }
  const result = await runTurn(profile, request, {
    ...folders,
    environment,
    howToSet,
    permissionPauses: true,
    ...hooks,
  })
  if (result.session_id !== stored) await sessions.keep(owner, sessionName, result.session_id)
  return result
}
