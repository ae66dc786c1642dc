import { type BigIntStats, statSync } from 'node:fs'
import type { Profile } from '@string-os/bridge'
import { LIMITS } from '@string-os/protocol'
import type { Agent } from '../store/agents.ts'
import type { DataCaps } from './data-caps.ts'
import { type ProfileFound, profileOf, profilePath } from './profile-of.ts'

/** A file that was written later than this before it was read may be written again in the same tick of its clock. */
const SETTLED_MS = 100n

interface Kept {
  readonly seen: string
  readonly profile: Profile
}

/** The profiles of agents as they are now. One whose file has not changed is not read again: that would cost as much as the turn. */
export class Profiles {
  readonly #kept = new Map<string, Kept>()
  readonly #caps: () => DataCaps

  /** `caps`: what holds for every agent whose profile says nothing else. */
  constructor(caps: () => DataCaps = () => ({ ok: true, caps: {} })) {
    this.#caps = caps
  }

  /** With every limit that holds: while it is not known which do, there is no profile that can be used. */
  async of(agent: Agent): Promise<ProfileFound> {
    const found = await this.#read(agent)
    if (!found.ok) return found
    const shared = this.#caps()
    if (!shared.ok) return { ok: false, error: shared.problems.join('\n') }
    if (Object.keys(shared.caps).length === 0) return found
    return { ok: true, profile: { ...found.profile, limits: { ...shared.caps, ...found.profile.limits } } }
  }

  async #read(agent: Agent): Promise<ProfileFound> {
    const path = profilePath(agent)
    const stat = path === null ? null : statOf(path)
    if (path === null || stat === null) return profileOf(agent)
    const seen = lookOf(stat)
    const kept = this.#kept.get(path)
    if (kept?.seen === seen) return { ok: true, profile: kept.profile }
    this.#kept.delete(path)
    const found = await profileOf(agent)
    if (found.ok && isSettled(stat) && this.#kept.size < LIMITS.agents)
      this.#kept.set(path, { seen, profile: found.profile })
    return found
  }
}

/** Null also where a folder above it lets nobody in: whoever reads it tells why. */
function statOf(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

/** What changes whenever a file does. */
function lookOf({ dev, ino, size, mode, uid, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mode, uid, mtimeNs, ctimeNs].join(' ')
}

function isSettled({ mtimeMs, ctimeMs }: BigIntStats): boolean {
  const before = BigInt(Date.now()) - SETTLED_MS
  return mtimeMs < before && ctimeMs < before
}
