import type { ExecResult } from '@string-os/client'
import { quoted } from '@string-os/protocol'
import { inOwnName } from '../program-name.ts'

/** For a person: what became of a text that is no command, when nobody has said yet what may have been meant. */
export function explainedText(result: ExecResult, typed: string, verbs: readonly string[]): ExecResult {
  const text = typed.trim()
  if (result.code !== 'COMMAND_UNSUPPORTED' || text.startsWith('/') || result.content.includes('\n')) return result
  const [word = ''] = text.split(/\s/, 1)
  const hint = verbs.includes(word)
    ? inOwnName(`${word} is a verb: type string ${word} in a shell`)
    : `${JSON.stringify(quoted(text, 40))} is text, which only a shell takes: /topic bash:NAME goes to one`
  return { ...result, content: `${result.content}\n  ${hint}` }
}
