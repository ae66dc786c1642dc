import { readdirSync, realpathSync } from 'node:fs'
import { basename, join } from 'node:path'
import { loadProfile } from '@string-os/bridge'
import { type AgentActivity, StringClient } from '@string-os/client'
import { LIMITS, visibleLine } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { everyActivity } from '../agent/known-agent.ts'
import { profilePlace } from '../agent/profile-place.ts'
import { bridgeSessions } from '../bridge/bridge-sessions.ts'
import { addressOf, runningDaemon } from '../daemon/find-daemon.ts'

/** An agent that can be talked to: so far, one whose profile is a file. */
export interface KnownAgent {
  readonly name: string
  /** How it came to be known. */
  readonly about: string
  readonly profile: string
  /** What it runs, where its profile can be read. */
  readonly command?: string
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
    const command = await commandOf(profile)
    if (command !== null) others.push({ name: nameOf(path), ...running(command, `${about}: ${profile}`), profile })
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
    const agents = await everyActivity(new StringClient(addressOf(daemon)))
    const known = await Promise.all(agents.map(livingAgent))
    return known.filter((agent) => agent !== null)
  } catch {
    // It may be about to end.
    return []
  }
}

async function livingAgent({ id, home, profile: named, problem }: AgentActivity): Promise<KnownAgent | null> {
  const profile = realOrNull(profilePlace(home, named))
  if (profile === null) return null
  return {
    name: id,
    ...running(await commandOf(profile), `${problem === null ? 'lives in the daemon' : 'cannot answer'}: ${profile}`),
    profile,
    isInDaemon: true,
  }
}

/** What a profile runs; null where it cannot be used. */
async function commandOf(profile: string): Promise<string | null> {
  const reading = await loadProfile(profile)
  return reading.ok ? visibleLine(reading.profile.command.join(' ')) : null
}

function running(command: string | null, about: string): Pick<KnownAgent, 'about' | 'command'> {
  return command === null ? { about } : { about: `${command} · ${about}`, command }
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
