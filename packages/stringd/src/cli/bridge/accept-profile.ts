import { findingLine, loadProfile, type Profile } from '@string-os/bridge'
import { CliError, EXIT } from '../exit.ts'

/** A sound profile; one that is not ends the program with `file:line:column: problem` and the fix. */
export async function acceptProfile(path: string, warn: (text: string) => void): Promise<Profile> {
  const reading = await loadProfile(path)
  const warnings = reading.warnings.map((finding) => findingLine(path, finding))
  if (reading.ok) {
    for (const text of warnings) warn(text)
    return reading.profile
  }
  // What keeps it from running comes first.
  const problems = reading.problems.map((finding) => findingLine(path, finding))
  throw new CliError(EXIT.usage, [...problems, ...warnings.map((text) => `warning: ${text}`)].join('\n'))
}
