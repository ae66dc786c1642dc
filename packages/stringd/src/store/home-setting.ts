import { statSync } from 'node:fs'
import { join } from 'node:path'
import { realOr } from './real-path.ts'

/** What a person keeps in a home for its agent: where messages may go, and the program that the agent is. */
export type SettingName = 'channels.yaml' | 'profile.yaml'

export interface HomeSetting {
  readonly path: string
  /**
   * A home may have come from elsewhere: what it has under this name is a file in it, or nothing. It is not known which where a
   * folder above it lets nobody in.
   */
  readonly state: 'absent' | 'closed' | 'there' | 'linked'
}

/** Why a linked one is not used. */
export const NOT_FOLLOWED = 'A link leads to it, and links in a home are not followed'

export function homeSetting(home: string, name: SettingName): HomeSetting {
  const path = join(home, '.string', name)
  // Asked for every event of every agent: most homes have none, which is told fast.
  const missing = whyMissing(path)
  if (missing !== null) return { path, state: missing }
  const own = join(realOr(home), '.string', name)
  return { path, state: realOr(own) === own ? 'there' : 'linked' }
}

function whyMissing(path: string): 'absent' | 'closed' | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined ? 'absent' : null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'closed' : 'absent'
  }
}
