import {
  appOf,
  type Data,
  type Failure,
  fail,
  LIMITS,
  listNames,
  nearest,
  ok,
  quoted,
  type Result,
  truncate,
} from '@string-os/protocol'
import { defaultText } from '../../packages/source/plan-text.ts'
import { isLinkedPage } from '../../packages/state/package-record.ts'
import type { NeededVariable } from '../../packages/use/package-powers.ts'
import type { CommandContext } from '../core/context.ts'
import { defineCommand } from '../core/define.ts'
import { substitute } from '../core/substitute.ts'
import { type Assignment, parseAssignments, shown } from './assignments.ts'
import { withoutOwner } from './variable-owner.ts'

export const set = defineCommand({
  name: 'set',
  summary: 'Set variables of this topic or stored ones, or list them',
  params: {},
  flags: {},
  body: 'optional',
  raw: true,
  usage: '[{name} = "value" | $NAME = "value"]',
  details: [
    '`{name}`, `[a-z][a-z0-9_]*`, belongs to this topic: in the arguments of other commands it stands for the value.',
    '`$NAME`, `[A-Za-z][A-Za-z0-9_]*`, is stored on the disk and not shown again: installed apps and tools that list it get it.',
    'A plain setting of an app, which lists it with `secret: false`, is shown in the topic of the app if it was set there.',
    'In a topic `app:NAME` it belongs to that app, in `app:NAME:CONFIG` to that configuration of it, elsewhere to all.',
    'Several are set by the lines of the body; a fenced block ```` ```{name} ```` holds a value of several lines.',
  ],
  examples: ['/set', '/set {city} = "Seoul"', '/set $API_KEY = "secret"', '/set\n{a} = "1"\n{b} = "2"'],
  async run({ rest, body }, context) {
    if (rest.trim() === '' && body.trim() === '') return listAll(context)
    const assignments = parseAssignments(rest, body)
    return assignments.ok ? assign(assignments.items, context) : assignments
  },
})

/** All of them, or none when one is wrong. */
async function assign(assignments: readonly Assignment[], context: CommandContext): Promise<Result> {
  const { session, stored } = context
  const next = new Map(session.variables.all)
  const secrets = new Map<string, string>()
  for (const assignment of assignments) {
    const failure =
      assignment.kind === 'session' ? assignSession(assignment, next) : assignStored(assignment, next, secrets)
    if (failure !== null) return failure
  }
  if (next.size > LIMITS.variables)
    return fail('LIMIT_REACHED', `A topic has at most ${LIMITS.variables} variables`, '/unset {name} removes one')
  const failure = secrets.size === 0 ? null : (withoutOwner(context) ?? (await stored.set(secrets)))
  if (failure !== null) return failure
  for (const { kind, name } of assignments)
    if (kind === 'session') session.variables.set(name, next.get(name) ?? '', 'caller')
  const seen = new Map(secrets.size === 0 ? [] : stored.list().variables.map(({ name, value }) => [name, value]))
  const rows = new Map(
    assignments.map((each) => [
      shown(each),
      each.kind === 'stored' ? storedText(seen.get(each.name)) : inQuotes(next.get(each.name)),
    ]),
  )
  const lines = [...rows].map(([name, value]) => `${name} = ${value}`)
  const data = {
    variables: assignments.map(({ kind, name }) =>
      kind === 'stored'
        ? { name, kind, ...shownValue(seen.get(name)) }
        : { name, kind, ...shownValue(next.get(name) ?? '') },
    ),
  }
  const notes = unlisted([...secrets.keys()], context)
  return lines.length === 1
    ? ok(lines[0] ?? '', notes.join('\n') || null, data)
    : ok('Variables', [...lines, ...notes].join('\n'), data)
}

/** What the app of the topic does not list is stored, and the app never gets it. */
function unlisted(names: readonly string[], { packages: { own } }: CommandContext): string[] {
  if (own === null || isLinkedPage(own.record)) return []
  const { local, needs } = own.record
  const listed = needs.map(({ name }) => name)
  return names
    .filter((name) => !listed.includes(name))
    .map((name) => {
      const close = nearest(name, listed)
      const has =
        listed.length === 0 ? 'it lists no variables' : `it lists ${listNames(listed.map((each) => `$${each}`))}`
      const next = close === null ? `; ${has}` : `: did you mean $${close}?`
      return `app:${local} does not list $${name} in its env, and never gets it${next}`
    })
}

/** What stands between fences is a body, in which nothing is replaced. */
function assignSession({ name, value: typed, fenced }: Assignment, next: Map<string, string>): Failure | null {
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    return fail(
      'INVALID_VARIABLE',
      `Not a variable name: {${name}}`,
      'A name is small letters, digits and _, and starts with a letter',
    )
  const value = fenced ? { ok: true as const, text: typed } : substitute(typed, next)
  if (!value.ok) return value
  if (value.text.length > LIMITS.variableChars)
    return fail(
      'TOO_LARGE',
      `{${name}} is longer than ${LIMITS.variableChars} characters`,
      'Write it into a file: /write PATH',
    )
  next.set(name, value.text)
  return null
}

/** A secret is taken as it stands, braces included, unless it is nothing but one `{name}`. */
function assignStored(
  { name, value, fenced }: Assignment,
  session: ReadonlyMap<string, string>,
  secrets: Map<string, string>,
): Failure | null {
  const isReference = !fenced && /^\{[a-z][a-z0-9_]*\}$/.test(value)
  const filled = isReference ? substitute(value, session) : { ok: true as const, text: value }
  if (!filled.ok) return filled
  secrets.set(name, filled.text)
  return null
}

function listAll(context: CommandContext): Result {
  const { session, stored, topic } = context
  const { variables, damaged } = stored.list()
  const app = appOf(topic)
  const own = app === null ? 'global' : app.config === null ? 'app' : 'config'
  const needed = unsetNeeds(context, new Set(variables.map(({ name }) => name)))
  const lines = [
    ...[...session.variables.all].map(([name, value]) => `{${name}} = ${inQuotes(value)}`),
    ...variables.map(
      ({ name, level, value }) => `$${name} = ${storedText(value)}${level === own ? '' : `, ${FROM[level]}`}`,
    ),
    ...needed.map(({ name, from, fallback }) => {
      const otherwise = from === 'environment' ? ['set, in the environment of the daemon'] : defaultText({ fallback })
      return `$${name}: ${otherwise[0] ?? 'not set'}`
    }),
    ...damaged.map((path) => `${path} is damaged and partly unread; the next /set keeps it aside`),
  ]
  return ok('Variables', lines.length === 0 ? '(none)' : lines.join('\n'), {
    variables: [
      ...[...session.variables.all].map(([name, value]) => ({ name, kind: 'session', ...shownValue(value) })),
      ...variables.map(({ name, level, value }) => ({ name, kind: 'stored', level, ...shownValue(value) })),
      ...needed.map(({ name, from, fallback }) => ({
        name,
        kind: 'stored',
        level: from,
        ...(from === 'default' ? shownValue(fallback) : {}),
      })),
    ],
  })
}

/** What the app of the topic reads and nobody has stored. */
function unsetNeeds({ packages }: CommandContext, stored: ReadonlySet<string>): readonly NeededVariable[] {
  const { own } = packages
  return own === null ? [] : packages.variables(own).filter(({ name }) => !stored.has(name))
}

/** As much of a value as the text shows, and how long it is; nothing of a secret. */
function shownValue(value: string | null = null): Data {
  return value === null ? {} : { value: truncate(value, LIMITS.shownValueChars), chars: value.length }
}

/** Of one that may be seen its value. */
function storedText(value: string | null = null): string {
  return value === null ? '(set)' : inQuotes(value)
}

const FROM = { global: 'for all', app: 'for this app', config: 'for this configuration' } as const

function inQuotes(value = ''): string {
  return `"${quoted(value)}"`
}
