import { type Finding, loadProfile, type Profile } from '@string-os/bridge'
import { visibleLine } from '@string-os/protocol'
import { CliError, EXIT } from '../exit.ts'

/** A sound profile; one that is not ends the program with `file:line:column: problem` and the fix. */
export async function acceptProfile(path: string, warn: (text: string) => void): Promise<Profile> {
  const reading = await loadProfile(path)
  for (const finding of reading.warnings) warn(findingLine(path, finding))
  if (reading.ok) return reading.profile
  throw new CliError(EXIT.usage, reading.problems.map((finding) => findingLine(path, finding)).join('\n'))
}

export function findingLine(path: string, { line, column, message, fix }: Finding): string {
  const sentence = fix === null || message.endsWith('.') ? message : `${message}.`
  return visibleLine(`${path}:${line}:${column}: ${sentence}${fix === null ? '' : ` ${fix}`}`)
}
