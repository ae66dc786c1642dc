import { LIMITS } from '@string-os/protocol'
import { type Environment, referredVariables } from './env.ts'
import type { Profile } from './profile.ts'

const MASK = '•••'
/** Two bytes that no text holds. */
const HIDDEN = 0xff
const INVALID = 0xfe

/**
 * What a profile took from the environment of the bridge, as bytes: keys and passwords, most of the time. Shorter values
 * are no secrets, and hiding them would make a riddle of every text.
 */
export function secretsOf(profile: Profile, environment: Environment): readonly Buffer[] {
  const values = referredVariables(profile).map((name) => environment[name] ?? '')
  const telling = values.filter((value) => value.length >= LIMITS.secretChars)
  return [...new Set(telling)].map((value) => Buffer.from(value))
}

/** The last `limitBytes` of a text without its secrets; of one that the cut went through, nothing is shown either. */
export function maskedEnd(bytes: Buffer, secrets: readonly Buffer[], limitBytes: number): string {
  const text = secrets.length === 0 ? bytes.subarray(-limitBytes).toString() : masked(bytes, secrets, limitBytes)
  // The rest of a character that the cut went through.
  return bytes.length > limitBytes ? text.replace(/^\ufffd{1,3}/, '') : text
}

function masked(bytes: Buffer, secrets: readonly Buffer[], limitBytes: number): string {
  const pieces = hide(bytes, secrets)
    .subarray(-limitBytes)
    .toString('latin1')
    .split(/\u00ff+/)
  return pieces.map((piece) => Buffer.from(piece, 'latin1').toString()).join(MASK)
}

/** Every byte of a secret replaced, so that all others stay where they are. */
function hide(bytes: Buffer, secrets: readonly Buffer[]): Buffer {
  const hidden = Buffer.from(bytes.map((byte) => (byte === HIDDEN ? INVALID : byte)))
  for (const secret of secrets) {
    for (let at = bytes.indexOf(secret); at !== -1; at = bytes.indexOf(secret, at + 1)) {
      hidden.fill(HIDDEN, at, at + secret.length)
    }
  }
  return hidden
}
