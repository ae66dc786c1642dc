import { findingLine, loadProfile, type Profile, type ProfileReader, refusalLines } from '@string-os/bridge'
import { CliError, EXIT } from '../exit.ts'

/** A sound profile; one that is not ends the program with `file:line:column: problem` and the fix. */
export async function acceptProfile(
  path: string,
  reader: ProfileReader,
  warn: (text: string) => void,
): Promise<Profile> {
  const reading = await loadProfile(path, reader)
  if (!reading.ok) throw new CliError(EXIT.usage, refusalLines(path, reading))
  for (const finding of reading.warnings) warn(findingLine(path, finding))
  return reading.profile
}
