import { inheritedVariables, referredVariables } from './env.ts'
import type { Profile } from './profile.ts'

type HandsOn = Pick<Profile, 'env'>

/** Of these variables those that an agent does not get: its profile neither inherits nor names them. */
export function withheldVariables(profile: Profile, names: readonly string[]): string[] {
  const inherited = inheritedVariables(profile, Object.fromEntries(names.map((name) => [name, ''])))
  const given = new Set([...Object.keys(inherited), ...Object.keys(profile.env), ...referredVariables(profile)])
  return names.filter((name) => !given.has(name))
}

/** What is written into a profile so that its agent gets them. */
export function handOnText({ env }: HandsOn, names: readonly string[]): string {
  const entries = names.map((name) => `${name}: "\${${name}}"`).join(', ')
  return Object.keys(env).length === 0 ? `env: { ${entries} }` : `${entries} below its env`
}
