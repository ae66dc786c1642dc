import { findingLine, loadProfile, type Profile } from '@string-os/bridge'
import { CliError, EXIT } from '../exit.ts'

/** A sound profile; one that is not ends the program with `file:line:column: problem` and the fix. */
export async function acceptProfile(path: string, warn: (text: string) => void): Promise<Profile> {
  const reading = await loadProfile(path)
  for (const finding of reading.warnings) warn(findingLine(path, finding))
  if (reading.ok) return reading.profile
  throw new CliError(EXIT.usage, reading.problems.map((finding) => findingLine(path, finding)).join('\n'))
}
