import { visibleLine } from '@string-os/protocol'
import type { KeyName } from './profile-keys.ts'

/** Lines and columns count from 1; 0 is the file as a whole. */
export interface TextPlace {
  readonly line: number
  readonly column: number
}

/** Something to say about a place in a profile, and what to do about it. */
export interface Finding extends TextPlace {
  readonly message: string
  readonly fix: string | null
}

/** Where the value of each key stands; of an absent one, the beginning of the file. */
export type KeyPlaces = Readonly<Record<KeyName, TextPlace>>

/** Why a profile cannot be used, a line each: what keeps it from running first, then warnings, for a key that is mistyped is why another is missing. */
export function refusalLines(
  path: string,
  { problems, warnings }: { readonly problems: readonly Finding[]; readonly warnings: readonly Finding[] },
): string {
  const said = warnings.map((finding) => `warning: ${findingLine(path, finding)}`)
  return [...problems.map((finding) => findingLine(path, finding)), ...said].join('\n')
}

/** `file:line:column: what is wrong. What to do about it`; what is about no place in the file names it itself. */
export function findingLine(path: string, { line, column, message, fix }: Finding): string {
  const sentence = fix === null || message.endsWith('.') ? message : `${message}.`
  const place = line === 0 ? '' : `${path}:${line}:${column}: `
  return visibleLine(`${place}${sentence}${fix === null ? '' : ` ${fix}`}`)
}
