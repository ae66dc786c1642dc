import type { ExecResult } from '@string-os/client'
import { shellWord } from '../../doctor/shell-word.ts'

/** Flags of `string` that people put behind a line for a shell, where all belongs to the line; the value is what follows it. */
const OURS = /^--(?:json|plain|(?:agent|wait)(?:=.*)?)$/
const VALUED: readonly string[] = ['--agent', '--wait']

/** How programs refuse what they do not know. */
const REFUSAL =
  /un(?:known|recogni[sz]ed|expected|supported)|invalid|illegal|no such|not (?:a valid|defined|recogni[sz]ed)/i

/**
 * Of a line without quotes that ends with a flag of `string`, which its program got and refused: how it is typed for `string`.
 * Null: there is none, or the program took it, and it was perhaps meant so.
 */
export function flagToProgram(words: readonly string[], topic: string, { data, content }: ExecResult): string | null {
  const at = words.length - (VALUED.includes(words.at(-2) ?? '') ? 2 : 1)
  const [flag = '', ...value] = words.slice(at)
  if (at < 1 || !OURS.test(flag) || typeof data?.exit !== 'number' || data.exit === 0) return null
  const [name = ''] = flag.replace(/^--/, '').split('=')
  const isRefused = content.split('\n').some((line) => REFUSAL.test(line) && line.includes(name))
  if (!isRefused) return null
  const line = words.slice(0, at)
  const program = line.find((word) => !word.startsWith('/'))?.split(/\s/)[0] ?? ''
  const place = topic === 'main' && line[0]?.startsWith('/') === true ? [] : [topic]
  return `${flag} went to ${program}; for string it stands in front: string ${[flag, ...value, ...place, ...line].map(shellWord).join(' ')}`
}
