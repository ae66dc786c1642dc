import {
  type Data,
  type Failure,
  fail,
  LIMITS,
  listNames,
  nearest,
  ok,
  quoted,
  type Result,
  visibleLine,
} from '@string-os/protocol'
import { malformedText } from '../../action/declare/declaration.ts'
import { actionRow, actionSchema } from '../../action/declare/schema.ts'
import { schemaData } from '../../action/declare/schema-data.ts'
import type { PageAction } from '../../document/page.ts'
import { placeText } from '../../document/place-text.ts'
import { type Base, isSameAddress } from '../../library/address.ts'
import { typed } from '../complete/typed-word.ts'
import type { CommandContext } from '../core/context.ts'
import { defineCommand } from '../core/define.ts'
import { namedCall } from './action-words.ts'
import { describeAction } from './describe-action.ts'
import { runAction } from './run-action.ts'

export const act = defineCommand({
  name: 'act',
  aliases: ['action'],
  summary: 'Run an action of the open document, or list its actions',
  params: {},
  flags: {},
  body: 'none',
  raw: true,
  suffix: '.',
  usage: '[NAME] [ARGUMENTS] [--dry-run] [--help]',
  details: [
    '`/act.NAME`, `/act NAME` and `/action.NAME` are the same. Arguments fill the fields in order; `--field value`, `--field=value`',
    'and `-f value` name them. `{name}` is a session variable, `@name` a value that a response has left; `\\{name}` and `\\$NAME` are text.',
    '`/act.NAME --help` shows the fields, `--dry-run` the request without sending it, secrets masked.',
    'A value of several lines is set first: `/set` with a fenced block ```` ```{name} ```` as its body, then `{name}`.',
  ],
  examples: [
    '/act',
    '/act.search_city --name "Seoul"',
    '/act.get_forecast --city {city}',
    '/act.send --dry-run @city-1',
  ],
  async run({ rest, suffix = '' }, context) {
    const { name, line } = namedCall(suffix, rest)
    const current = await context.reader.current(name === '' ? '/act' : `/act.${name}`)
    if (!current.ok) return current
    const { actions } = current.loaded.index
    if (name === '') return listing(actions, line === '--help')
    const action = actions.get(name)
    if (action === undefined) return unknownAction(name, [...actions.keys()], context)
    return runAction({ action, line, powers: context.powers(action.base) }, context)
  },
})

function listing(actions: ReadonlyMap<string, PageAction<Base>>, withSchemas: boolean): Result {
  const shown = [...actions.values()].slice(0, LIMITS.listedEntries)
  if (shown.length === 0) return ok('Actions', '(none)', { actions: [] })
  const data: Data[] = []
  const rows = shown.map((action) => {
    const { id } = action
    const read = describeAction(action)
    data.push(read.ok ? schemaData(read.declaration, read.effects) : { name: id, error: malformedText(id, read) })
    if (!read.ok) return visibleLine(`/act.${id} (refused, ${placeText(read)}: ${read.problem}. ${read.instead})`)
    const { declaration, effects } = read
    return withSchemas ? `${actionSchema(declaration, effects)}\n` : actionRow(declaration, effects)
  })
  return ok('Actions', rows.join('\n').trimEnd(), { actions: data })
}

async function unknownAction(name: string, names: readonly string[], context: CommandContext): Promise<Failure> {
  const close = nearest(name, names)
  return fail(
    'ACTION_NOT_FOUND',
    `Action not found: ${quoted(name)}`,
    ...(close === null ? [] : [`Did you mean /act.${close}?`]),
    ...(await elsewhereInApp(name, context)),
    names.length === 0 ? 'This document has no actions' : `Actions: ${listNames(names)}`,
  )
}

/** What can be called is what the page shows; of another page of the app, or an answer, it is the way back that is missing. */
async function elsewhereInApp(name: string, context: CommandContext): Promise<string[]> {
  const { topic, reader, session } = context
  const entry = reader.entry()
  const current = session.document?.address
  if (topic.type !== 'app' || !entry.ok || current === undefined) return []
  if (isSameAddress(current, entry)) return onOtherPage(name, context)
  const back = `/open ${topic.canonical} goes back to the app`
  // Nobody outside is asked for it.
  if (entry.kind === 'web') return [back]
  const loaded = await reader.load(entry, reader.show(entry))
  const ids = loaded.ok ? [...loaded.index.actions.keys()] : []
  if (ids.includes(name)) return [`/act.${name} is an action of the first page of ${topic.canonical}: ${back}`]
  const other = await onOtherPage(name, context)
  if (other.length > 0) return other
  return [`The first page of ${topic.canonical} has ${listNames(ids) || 'no actions'}: ${back}`]
}

/** Of the documents of the app, the first that has it; one that the open page includes has been looked at. */
async function onOtherPage(name: string, { packages }: CommandContext): Promise<string[]> {
  const looked = packages.own === null ? null : await packages.look(packages.own)
  if (looked?.ok !== true) return []
  const found = looked.actions.find(({ source }) => source.id === name)
  return found === undefined
    ? []
    : [`${name} is an action of ${visibleLine(found.document)}: /open ${typed(found.document)}`]
}
