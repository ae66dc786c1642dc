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
import { type CallableActions, callableActions } from './callable-actions.ts'
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
    const actions = await callableActions(name === '' ? '/act' : `/act.${name}`, context)
    if (!actions.ok) return actions
    if (name === '') return listing(actions, context.topic.canonical, line === '--help')
    const action = actions.all.get(name)
    if (action === undefined) return unknownAction(name, [...actions.all.keys()], context)
    return runAction({ action, line, powers: context.powers(action.base) }, context)
  },
})

function listing({ all, ofApp }: CallableActions, topic: string, withSchemas: boolean): Result {
  const shown = [...all.values()].slice(0, LIMITS.listedEntries)
  if (shown.length === 0) return ok('Actions', '(none)', { actions: [] })
  const described = shown.map((action) => describedAction(action, withSchemas))
  const from = shown.findIndex(({ id }) => ofApp.has(id))
  const rows = described.map(({ text }) => text)
  if (from !== -1) rows.splice(from, 0, `Of the first page of ${topic}:`)
  return ok('Actions', rows.join('\n').trimEnd(), { actions: described.map(({ data }) => data) })
}

function describedAction(
  action: PageAction<Base>,
  withSchema: boolean,
): { readonly text: string; readonly data: Data } {
  const { id } = action
  const read = describeAction(action)
  if (!read.ok) {
    const text = visibleLine(`/act.${id} (refused, ${placeText(read)}: ${read.problem}. ${read.instead})`)
    return { text, data: { name: id, error: malformedText(id, read) } }
  }
  const { declaration, effects } = read
  const text = withSchema ? `${actionSchema(declaration, effects)}\n` : actionRow(declaration, effects)
  return { text, data: schemaData(declaration, effects) }
}

async function unknownAction(name: string, names: readonly string[], context: CommandContext): Promise<Failure> {
  const close = nearest(name, names)
  return fail(
    'ACTION_NOT_FOUND',
    `Action not found: ${quoted(name)}`,
    ...(close === null ? [] : [`Did you mean /act.${close}?`]),
    ...(await onOtherPage(name, context)),
    names.length === 0 ? 'This document has no actions' : `Actions: ${listNames(names)}`,
  )
}

/** Of the documents of the app, the first that has it; one that the open page or the first includes has been looked at. */
async function onOtherPage(
  name: string,
  { packages: { own, look }, topic, session, reader }: CommandContext,
): Promise<string[]> {
  if (own !== null && own.folder === null) {
    // Nobody outside is asked for it.
    const [current, entry] = [session.document?.address, reader.entry()]
    const isFirst = current !== undefined && entry.ok && isSameAddress(current, entry)
    return isFirst ? [] : [`/open ${topic.canonical} goes back to the app`]
  }
  const looked = own === null ? null : await look(own)
  if (looked?.ok !== true) return []
  const found = looked.actions.find(({ source }) => source.id === name)
  return found === undefined
    ? []
    : [`${name} is an action of ${visibleLine(found.document)}: /open ${typed(found.document)}`]
}
