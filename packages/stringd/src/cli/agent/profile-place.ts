import { join } from 'node:path'

/** Where the profile of an agent is, if it has one. */
export function profilePlace(home: string, named: string | null | undefined): string {
  return named ?? join(home, '.string/profile.yaml')
}
