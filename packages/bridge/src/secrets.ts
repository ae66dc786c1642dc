import { LIMITS, Masker } from '@string-os/protocol'
import { type ProcessEnvironment, referredVariables } from './env.ts'
import type { Profile } from './profile.ts'

/** Hides what a profile took from the environment of the bridge: keys and passwords, most of the time. */
export function secretsOf(profile: Profile, environment: ProcessEnvironment): Masker {
  const secrets = new Masker('•••', LIMITS.secretChars)
  for (const name of referredVariables(profile)) secrets.add(environment[name] ?? '')
  return secrets
}

/** The last `limitBytes` of a text without its secrets; of one that the cut went through, nothing is shown either. */
export function maskedEnd(bytes: Buffer, secrets: Masker, limitBytes: number, atEnd = false): string {
  const from = Math.max(0, bytes.length - limitBytes)
  const shown =
    secrets.size === 0
      ? bytes.subarray(from)
      : Buffer.from(secrets.maskBytes(bytes.toString('latin1'), { from, atEnd }), 'latin1')
  // The rest of a character that the cut went through.
  return from > 0 ? shown.toString().replace(/^\ufffd{1,3}/, '') : shown.toString()
}
