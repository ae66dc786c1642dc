import { invalidTopic } from '@string-os/protocol'
import { type CliError, usageError } from '../exit.ts'

/** Refuses what cannot be the name of a topic, and says what can. */
export function noTopic(written: string): CliError {
  const { system, hints } = invalidTopic(written)
  return usageError(`${system} (a topic is ${hints.join(' ')})`)
}
