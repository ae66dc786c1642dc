import { existsSync } from 'node:fs'
import { invalidTopic, parseTopic } from '@string-os/protocol'
import { shellWord } from '../../doctor/shell-word.ts'
import { type CliError, usageError } from '../exit.ts'

/** Refuses what cannot be the name of a topic, and says what can. */
export function noTopic(written: string, words: readonly string[] = []): CliError {
  const { system, hints } = invalidTopic(written)
  const rule = `(a topic is ${hints.at(-1)})`
  const joined = parseTopic(written.trim().replace(/\s+/g, '-'))
  const [, tool] = /^tool:([\w-]+(?:\.[\w-]+)?)$/.exec(written) ?? []
  if (tool !== undefined) {
    const call = shellWord(['/tool:', tool, ...words.map((word) => ` ${word}`)].join(''))
    return usageError(`${system}; a tool is called in any topic: string ${call}`)
  }
  const file = words.length === 0 ? fileNamed(written) : null
  if (file !== null) return usageError(`${system}, but a file is called so; ${file} opens it`)
  const meant = words.length === 0 ? quotedAll(written) : null
  if (meant !== null) return usageError(`${system}; the quotes belong around the command: ${meant}`)
  const isNamed = joined !== null && joined.type !== 'tab'
  if (isNamed) return usageError(`${system}; the name of a topic has no blanks, such as ${joined.canonical}`)
  const whole = /\s/.test(written)
    ? [
        `In a shell that stays: string bash:dev ${shellWord(written)}`,
        `A command of String: string main ${words.length === 0 ? '/help' : words.map(shellWord).join(' ')}`,
      ]
    : []
  return usageError([`${system} ${rule}`, ...hints.slice(0, -1), ...whole].join('\n'))
}

/** Whoever names a file wants to see it. */
function fileNamed(written: string): string | null {
  if (!existsSync(written)) return null
  const path = /^(?:\/|\.{0,2}\/)/.test(written) ? written : `./${written}`
  return `string ${shellWord(`/open ${/\s/.test(path) ? `"${path}"` : path}`)}`
}

/** Who put the topic into the quotes, too, means it without them; null where there is no topic and command in them. */
function quotedAll(written: string): string | null {
  const [, first = '', command = ''] = /^(\S+)\s+(\S.*)$/s.exec(written.trim()) ?? []
  const topic = parseTopic(first)
  const isCommand = topic !== null && (topic.type === 'bash' || command.startsWith('/'))
  return isCommand ? `string ${first} ${shellWord(command)}` : null
}
