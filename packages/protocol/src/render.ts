import { encodeBlock } from './chanflow.ts'
import { LIMITS } from './limits.ts'
import type { Change, Failure, Result } from './result.ts'
import { count, truncate, visibleLine } from './text.ts'

const SET = /^(\s*\/{1,2}set)(?![a-z0-9])\s*([\s\S]*)$/i

/** A command that begins like an assignment: somebody meant `/set`. What `/exec` runs is shown as it is. */
const MISSPELLED = /^(\s*\/{1,2}(?!exec\b)\S+\s+['"]?\$[A-Za-z][A-Za-z0-9_]{0,63}['"]?\s*=\s*).*$/s

/** The first line of a command as it may be shown: values given to stored variables are secrets and left out. */
export function shownCommand(command: string): string {
  const end = command.indexOf('\n')
  const line = end === -1 ? command : command.slice(0, end).replace(/\r$/, '')
  const [, name, rest = ''] = SET.exec(line) ?? []
  if (name === undefined) return line.replace(MISSPELLED, '$1(set)')
  // Variables of the topic are no secrets; whatever else follows may be one, however it is misspelled.
  const isPublic = /^\{[^}]*\}\s*=/.test(rest) && !/\$[A-Za-z][A-Za-z0-9_]*\s*=/.test(rest)
  return rest === '' || isPublic ? line : `${name} ${maskedAssignment(rest)}`
}

function maskedAssignment(rest: string): string {
  const [, variable = ''] = /^['"]?(\$?[A-Za-z][A-Za-z0-9_]{0,63})['"]?\s*=/.exec(rest) ?? []
  return variable === '' ? '(set)' : `${variable} = (set)`
}

/** `head.cmd`: the shown command, cut for display. */
export function headCommand(command: string): string {
  return truncate(shownCommand(command), LIMITS.shownCommandChars)
}

/** First line of an `/exec` reply, which a client strips: exactly one line whatever the command or id holds. */
export function replyHead(command: string, requestId: string | null): string {
  const shown = visibleLine(shownCommand(command))
  return requestId === null ? `re: ${shown}` : `re: [${visibleLine(requestId)}] ${shown}`
}

/** The body that `/exec`, the command line and MCP print. */
export function replyBody(result: Result): string {
  if (!result.ok && !isExit(result))
    return join(errorText(`ERROR(${result.code}): `, result), '\n---\n', result.content)
  return join(result.system === null ? null : visibleLine(result.system), '\n---\n', result.content)
}

/** The body that ChanFlow prints. */
export function chanFlowBody(result: Result): string {
  if (!result.ok) return join(errorText(`✗ ${result.code}: `, result), '\n\n', result.content)
  if (result.change !== undefined) return changeText(result.change)
  const lead = result.system === null ? null : `✓ ${visibleLine(result.system)}`
  if (result.announce === true || result.content === null) return join(lead, '\n\n', result.content)
  // A block with nothing in it would look like a mistake.
  return /\S/.test(result.content) ? result.content : '(empty)'
}

/** One envelope for the command line and MCP: the body can neither close it nor open another. */
export function envelope(topic: string, body: string): string {
  return encodeBlock({ channel: 'string', topic, payload: body })
}

function isExit(failure: Failure): boolean {
  return failure.code.startsWith('EXIT_')
}

function errorText(prefix: string, { system, hints }: Failure): string {
  return [prefix + visibleLine(system), ...hints.map((hint) => `  ${visibleLine(hint)}`)].join('\n')
}

function changeText({ path, added, removed, diff }: Change): string {
  const parts = [
    added > 0 ? `added ${count(added, 'line')}` : '',
    removed > 0 ? `removed ${count(removed, 'line')}` : '',
  ]
  const sum = parts.filter((part) => part !== '').join(', ') || 'no change'
  const summary = `✓ ${visibleLine(path)} — ${sum.charAt(0).toUpperCase()}${sum.slice(1)}`
  return diff === '' ? summary : `${summary}\n\n${diff}`
}

function join(first: string | null, separator: string, second: string | null): string {
  if (first === null) return second ?? ''
  return second === null ? first : `${first}${separator}${second}`
}
