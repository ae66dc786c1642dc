import { readdirSync, realpathSync } from 'node:fs'
import { basename, join } from 'node:path'
import { loadProfile } from '@string-os/bridge'
import { StringClient } from '@string-os/client'
import { LIMITS } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { bridgeSessions } from '../bridge/bridge-sessions.ts'
import { addressOf, runningDaemon } from '../daemon/find-daemon.ts'

/** An agent that can be talked to: so far, one whose profile is a file. */
export interface KnownAgent {
  readonly name: string
  /** How it came to be known. */
  readonly about: string
  readonly profile: string
  /** It lives in the daemon, under its name. */
  readonly isInDaemon?: boolean
}

/** Profiles that exist: of agents in the daemon, in this folder, and of chats before. Each once. */
export async function knownAgents(folder: string, config: Config): Promise<readonly KnownAgent[]> {
  const found = [
    ...(await registered(config)),
    ...profilesIn(folder).map((path) => ({ name: nameOf(path), about: 'a profile in this folder', path })),
    ...bridgeSessions(config.dataDir, () => undefined)
      .profiles()
      .map((path) => ({ name: nameOf(path), about: 'a profile you talked to before', path })),
  ]
  const agents = new Map<string, KnownAgent>()
  for (const { name, about, path } of found) {
    const real = realOrNull(path)
    if (real === null || agents.has(real) || agents.size >= LIMITS.hintedNames) continue
    if (!(await loadProfile(real)).ok) continue
    const isInDaemon = about === REGISTERED
    agents.set(real, { name, about: `${about}: ${real}`, profile: real, isInDaemon })
  }
  return [...agents.values()]
}

const REGISTERED = 'lives in the daemon'

/** Whatever may be one by its name. */
function profilesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name))
    return names
      .sort()
      .slice(0, LIMITS.hintedNames)
      .map((name) => join(folder, name))
  } catch {
    // A folder that cannot be listed has nothing to offer.
    return []
  }
}

/** None is started to be asked. */
async function registered(config: Config): Promise<{ name: string; about: string; path: string }[]> {
  const daemon = runningDaemon(config)
  if (daemon === null) return []
  try {
    const agents = await new StringClient(addressOf(daemon)).agents.list()
    return agents.flatMap(({ id, home, profile }) => [
      { name: id, about: REGISTERED, path: profile ?? join(home, '.string/profile.yaml') },
    ])
  } catch {
    // It may be about to end.
    return []
  }
}

/** `agent.yaml` and `profile.yaml` say nothing: then the folder does. */
function nameOf(path: string): string {
  const name = basename(path).replace(/\.ya?ml$/, '')
  const folder = basename(join(path, '..'))
  return name === 'profile' || name === 'agent' ? `${folder}/${basename(path)}` : name
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}
