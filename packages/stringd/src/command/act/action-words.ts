import { type Failure, fail, lineWords, listNames, variableIn } from '@string-os/protocol'
import type { ReadWord } from '../../action/call/arguments.ts'
import type { Session } from '../../session/session.ts'
import { asItIs, substitute } from '../core/substitute.ts'

/** The words of a call, by POSIX quoting. */
export function splitCall(line: string): ReturnType<typeof lineWords> {
  return lineWords(line, {
    tooLong: 'Put what is long into a file and give its path',
    unclosed: () => ['Close it, or put a backslash before one that is meant as it is'],
  })
}

/** What a word of a call stands for: `@name` for a value, `{name}` for a variable, `$NAME` for nothing. */
export function wordReader({ variables, values }: Session): ReadWord {
  return (typed) => {
    const secret = variableIn(typed)
    if (secret !== null) return noSecrets(secret)
    const [, name] = /^@([a-z][a-z0-9_-]*)$/.exec(typed) ?? []
    if (name !== undefined) return shortcutValue(typed, name, values)
    const filled = substitute(typed, variables.all)
    return filled.ok ? { ok: true, value: filled.text } : filled
  }
}

function noSecrets(name: string): Failure {
  return fail(
    'INVALID_VARIABLE',
    `$${name} cannot be an argument of an action: stored variables stay out of commands`,
    'An action names the variables it uses in its own template',
    asItIs(`$${name}`),
  )
}

/** A name that no response has left is text, unless it looks like one of those that did. */
function shortcutValue(typed: string, name: string, values: Session['values']): ReturnType<ReadWord> {
  const value = values.get(name)
  if (value !== undefined) return { ok: true, value }
  const alike = [...values.keys()].filter((known) => stem(known) === stem(name)).map((known) => `@${known}`)
  return alike.length === 0
    ? { ok: true, value: typed }
    : fail('NOT_FOUND', `There is no value ${typed}`, `Values: ${listNames(alike)}`)
}

export function stem(name: string): string {
  return name.replace(/-\d+$/, '')
}

/** `/act.NAME line` and `/act NAME line` are one; a flag where the name would be belongs to the command itself. */
export function namedCall(suffix: string, rest: string): { readonly name: string; readonly line: string } {
  if (suffix !== '') return { name: suffix, line: rest }
  const [, name = '', line = ''] = /^(\S*)\s*(.*)$/s.exec(rest) ?? []
  return name.startsWith('-') ? { name: '', line: rest.trim() } : { name, line }
}
