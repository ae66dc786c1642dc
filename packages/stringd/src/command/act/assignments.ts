import { type Failure, fail, LIMITS, splitTyped, splitWords } from '@string-os/protocol'
import { hasMoreLines } from '../../document/text/text-lines.ts'

/** `{name} = value` of the topic, or `$NAME = value` on the disk. */
export interface Assignment {
  readonly kind: 'session' | 'stored'
  readonly name: string
  /** Quotes taken off; of a session variable as `splitTyped` gives a word, for references in it are not looked at yet. */
  readonly value: string
  /** It stood between fences. */
  readonly fenced: boolean
}

const VARIABLE = /\{([^}]*)\}|\$([^\s=`]*)/
const ASSIGNMENT = new RegExp(`^\\s*(?:${VARIABLE.source})\\s*=\\s*([\\s\\S]*)$`)
/** A variable and more, which the sign is missing between. */
const NAMED = /^\s*(\{\w{1,64}\}|\$\w{1,64})\s/
const FENCE = new RegExp(`^ {0,3}(\`{3,})\\s*(?:${VARIABLE.source})\\s*$`)

/** Reads what follows `/set`: an assignment a line, or fenced blocks. No error shows a value: it may be a secret. */
export function parseAssignments(
  rest: string,
  body: string,
): { readonly ok: true; readonly items: readonly Assignment[] } | Failure {
  const assignments: Assignment[] = []
  if (hasMoreLines(body, LIMITS.editedLines))
    return fail('TOO_LARGE', `The body has more than ${LIMITS.editedLines} lines`, 'Set variables in several commands')
  const lines = [...(rest.trim() === '' ? [] : [rest]), ...body.split(/\r?\n/)]
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    if (line.trim() === '') continue
    const [whole, marks = '', session, stored = ''] = FENCE.exec(line) ?? []
    if (whole === undefined) {
      const read = parseLine(line)
      if (!read.ok) return read
      assignments.push(read.assignment)
      continue
    }
    const variable = named(session, stored)
    const end = lines.findIndex((candidate, at) => at > index && candidate.trim() === marks)
    if (end === -1) return fail('USAGE', `The block of ${shown(variable)} is not closed`, `A line ${marks} closes it`)
    assignments.push({ ...variable, value: lines.slice(index + 1, end).join('\n'), fenced: true })
    index = end
  }
  return { ok: true, items: assignments }
}

/** A variable as it is written. */
export function shown({ kind, name }: Pick<Assignment, 'kind' | 'name'>): string {
  return kind === 'session' ? `{${name}}` : `$${name}`
}

/** A name without its marks; by custom what is stored is written in capitals. */
function unmarked(line: string): string | null {
  const [, name] = /^\s*([A-Za-z]\w{0,63})\s*=/.exec(line) ?? []
  if (name === undefined) return null
  return /^[a-z][a-z0-9_]*$/.test(name) ? `{${name}}` : `$${name}`
}

function parseLine(line: string): { readonly ok: true; readonly assignment: Assignment } | Failure {
  const [whole, session, stored = '', rest = ''] = ASSIGNMENT.exec(line) ?? []
  if (whole === undefined) {
    const name = NAMED.exec(line)?.[1] ?? unmarked(line)
    const usage = 'Usage: /set {name} = "value", or /set $NAME = "value"'
    return fail('INVALID_VARIABLE', 'Not an assignment', usage, ...(name ? [`This one: /set ${name} = "…"`] : []))
  }
  const variable = named(session, stored)
  const text = rest.trim()
  const isSession = variable.kind === 'session'
  if (!/^["']/.test(text)) {
    // Bare, a backslash is one, but in front of a reference.
    const value = isSession ? text.replace(/\\(?=\{[a-z][a-z0-9_]*\})/g, '\0') : text
    return { ok: true, assignment: { ...variable, value, fenced: false } }
  }
  const words = isSession ? splitTyped(text) : splitWords(text)
  if (words === null)
    return fail('USAGE', `The quote of ${shown(variable)} is not closed`, `Usage: /set ${shown(variable)} = "value"`)
  const [value = '', ...more] = words
  return more.length === 0
    ? { ok: true, assignment: { ...variable, value, fenced: false } }
    : fail('USAGE', `More than one value for ${shown(variable)}`, 'Put the whole value in quotes')
}

function named(session: string | undefined, stored: string): Pick<Assignment, 'kind' | 'name'> {
  return session === undefined ? { kind: 'stored', name: stored } : { kind: 'session', name: session }
}
