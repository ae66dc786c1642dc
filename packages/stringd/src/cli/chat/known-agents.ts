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

/**
 * Who can be talked to: each agent in the daemon, and each profile that none of them has, in this folder and of chats before.
 * Several agents may share a profile; a file is offered once.
 */
export async function knownAgents(folder: string, config: Config): Promise<readonly KnownAgent[]> {
  const living = await registered(config)
  const files = [
    ...profilesIn(folder).map((path) => ({ about: 'a profile in this folder', path })),
    ...bridgeSessions(config.dataDir, () => undefined)
      .profiles()
      .map((path) => ({ about: 'a profile you talked to before', path })),
  ]
  const seen = new Set(living.map(({ profile }) => profile))
  const others: KnownAgent[] = []
  for (const { about, path } of files) {
    const profile = realOrNull(path)
    if (profile === null || seen.has(profile) || others.length >= LIMITS.hintedNames) continue
    seen.add(profile)
    if ((await loadProfile(profile)).ok) others.push({ name: nameOf(path), about: `${about}: ${profile}`, profile })
  }
  return [...living, ...others]
}

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

/** None is started to be asked. Who has a profile that cannot be used is there, too: talked to, it is told why. */
async function registered(config: Config): Promise<KnownAgent[]> {
  const daemon = runningDaemon(config)
  if (daemon === null) return []
  try {
    const agents = await new StringClient(addressOf(daemon)).agents.list()
    return agents.flatMap(({ id, home, profile: named }) => {
      const profile = realOrNull(named ?? join(home, '.string/profile.yaml'))
      return profile === null ? [] : [{ name: id, about: `lives in the daemon: ${profile}`, profile, isInDaemon: true }]
    })
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
