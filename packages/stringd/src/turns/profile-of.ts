import type { Profile } from '@string-os/bridge'
import type { Agent } from '../store/agents.ts'
import { homeSetting, NOT_FOLLOWED } from '../store/home-setting.ts'

export type ProfileFound =
  | { readonly ok: true; readonly profile: Profile }
  | { readonly ok: false; readonly error: string }

/** Where the profile of an agent is: the one it was registered with, else that of its home; null without one. */
export function profilePath({ home, profile }: Pick<Agent, 'home' | 'profile'>): string | null {
  if (profile !== undefined) return profile
  const own = homeSetting(home, 'profile.yaml')
  // Whoever reads one of a closed folder tells why it cannot be read.
  return own.state === 'there' || own.state === 'closed' ? own.path : null
}

/** The profile of an agent, read as it is now. */
export async function profileOf(agent: Agent): Promise<ProfileFound> {
  const path = profilePath(agent)
  if (path === null) return { ok: false, error: noProfile(agent) }
  // With all that runs agents, which a daemon without profiles never needs.
  const { loadProfile, refusalLines } = await import('@string-os/bridge')
  const reading = await loadProfile(path, 'daemon')
  if (reading.ok) return reading
  return { ok: false, error: refusalLines(path, reading) }
}

function noProfile({ id, home }: Agent): string {
  const own = homeSetting(home, 'profile.yaml')
  if (own.state === 'linked') return `${own.path}: ${NOT_FOLLOWED}. Register it: string agent add ${id} --profile FILE`
  return `Agent ${id} has no profile: write ${own.path}, or string agent add ${id} --profile FILE`
}
