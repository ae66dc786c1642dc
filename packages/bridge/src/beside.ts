import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Profile } from './profile.ts'
import { isRegular } from './program.ts'

/**
 * Words behind the program that are files beside the profile: only the program itself is looked for there, they are where
 * it runs. `home` is the folder of an agent of the daemon; null: not known yet.
 */
export function filesOnlyBeside(profile: Profile, home: string | null): readonly string[] {
  if (profile.cwd !== null) return []
  const folder = dirname(profile.path)
  const isThere = (word: string): boolean => home !== null && isRegular(resolve(home, word))
  return [...profile.command.slice(1), ...profile.args].filter(
    (word) => !isAbsolute(word) && isRegular(join(folder, word)) && !isThere(word),
  )
}
