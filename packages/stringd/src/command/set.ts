import { type Failure, fail, LIMITS, ok, type Result, truncate, visibleLine } from '@string-os/protocol'
import { split } from 'shlex'
import { defineCommand } from './define.ts'
import { substitute } from './variables.ts'

type Assignment = readonly [name: string, value: string]

const ASSIGNMENT = /^\s*\{([^}]*)\}\s*=\s*([\s\S]*)$/
const FENCE = /^ {0,3}(`{3,})\s*\{([^}]*)\}\s*$/

export const set = defineCommand({
  name: 'set',
  summary: 'Set session variables, or list them',
  params: {},
  flags: {},
  body: 'optional',
  raw: true,
  usage: '[{name} = "value"]',
  details: [
    'A name is `[a-z][a-z0-9_]*`. In the arguments of other commands `{name}` stands for the value.',
    'Several are set by the lines of the body; a fenced block ```` ```{name} ```` holds a value of several lines.',
  ],
  examples: ['/set', '/set {city} = "Seoul"', '/set\n{a} = "1"\n{b} = "2"'],
  run({ rest, body }, { session }) {
    const { variables } = session
    if (rest.trim() === '' && body.trim() === '') return ok('Variables', listing(variables))
    const assignments = parse(rest, body)
    if (!Array.isArray(assignments)) return assignments
    return assign(assignments, variables)
  },
})

/** All of them, or none when one is wrong. */
function assign(assignments: readonly Assignment[], variables: Map<string, string>): Result {
  const next = new Map(variables)
  for (const [name, expression] of assignments) {
    if (!/^[a-z][a-z0-9_]*$/.test(name))
      return fail(
        'INVALID_VARIABLE',
        `Not a variable name: {${name}}`,
        'A name is small letters, digits and _, and starts with a letter',
      )
    const value = substitute(expression, next)
    if (typeof value !== 'string') return value
    if (value.length > LIMITS.variableChars)
      return fail('TOO_LARGE', `{${name}} is longer than ${LIMITS.variableChars} characters`)
    next.set(name, value)
  }
  if (next.size > LIMITS.variables)
    return fail('LIMIT_REACHED', `A topic has at most ${LIMITS.variables} variables`, '/unset {name} removes one')
  for (const [name, value] of next) variables.set(name, value)
  const names = assignments.map(([name]) => name)
  const [only] = names
  if (names.length === 1 && only !== undefined) return ok(row([only, next.get(only) ?? '']))
  return ok('Variables', listing(new Map(names.map((name) => [name, next.get(name) ?? '']))))
}

function parse(rest: string, body: string): Assignment[] | Failure {
  const assignments: Assignment[] = []
  const lines = [...(rest.trim() === '' ? [] : [rest]), ...body.split(/\r?\n/)]
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    if (line.trim() === '') continue
    const [, marks = '', fenced] = FENCE.exec(line) ?? []
    if (fenced === undefined) {
      const assignment = parseLine(line)
      if ('code' in assignment) return assignment
      assignments.push(assignment)
      continue
    }
    const end = lines.findIndex((candidate, at) => at > index && candidate.trim() === marks)
    if (end === -1) return fail('USAGE', `The block of {${fenced}} is not closed`, `A line ${marks} closes it`)
    assignments.push([fenced, lines.slice(index + 1, end).join('\n')])
    index = end
  }
  return assignments
}

function parseLine(line: string): Assignment | Failure {
  const [, name, value = ''] = ASSIGNMENT.exec(line) ?? []
  if (name === undefined) return fail('INVALID_VARIABLE', 'Not an assignment', 'Usage: /set {name} = "value"')
  const text = value.trim()
  if (!/^["']/.test(text)) return [name, text]
  try {
    const words = split(text)
    return words.length === 1
      ? [name, words[0] ?? '']
      : fail('USAGE', `More than one value for {${name}}`, 'Put the whole value in quotes')
  } catch {
    // The only thing it throws for is a quote or escape without its end.
    return fail('USAGE', `The quote of {${name}} is not closed`, 'Usage: /set {name} = "value"')
  }
}

function listing(variables: ReadonlyMap<string, string>): string {
  return variables.size === 0 ? '(none)' : [...variables].map(row).join('\n')
}

function row([name, value]: Assignment): string {
  return `{${name}} = "${visibleLine(truncate(value, LIMITS.shownValueChars))}"`
}
