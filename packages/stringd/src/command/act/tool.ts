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
  truncate,
  visibleLine,
} from '@string-os/protocol'
import { malformedText } from '../../action/declare/declaration.ts'
import { actionSchema } from '../../action/declare/schema.ts'
import { schemaData } from '../../action/declare/schema-data.ts'
import type { PageAction } from '../../document/page.ts'
import { placeText } from '../../document/place-text.ts'
import type { Base } from '../../library/address.ts'
import type { Loaded } from '../../library/library.ts'
import { defineCommand } from '../core/define.ts'
import { keepingDocument } from '../read/app-entry.ts'
import { namedCall } from './action-words.ts'
import { describeAction } from './describe-action.ts'
import { runAction } from './run-action.ts'

type Actions = ReadonlyMap<string, PageAction<Base>>

export const tool = defineCommand({
  name: 'tool',
  summary: 'Run a tool here, without leaving the open document',
  params: {},
  flags: {},
  body: 'none',
  raw: true,
  suffix: ':',
  usage: '[NAME[.ACTION]] [ARGUMENTS] [--dry-run] [--help]',
  details: [
    '`/tool:NAME` and `/tool NAME` are the same. Without ACTION the tool runs its `default` action, or its only one.',
    'A tool is an installed package (`/install --tool`), or a Markdown file in `./tools/` or `~/.string/tools/`.',
    'It acts with its own powers: `/help install`. `/tool` alone lists what there is.',
  ],
  examples: ['/tool', '/tool:lint --help', '/tool:lint ./src', '/tool:weather.forecast --city Seoul'],
  async run({ rest, suffix = '' }, context) {
    const { name: called, line } = namedCall(suffix, rest)
    const [name = '', id] = called.split(/\.(.*)/s)
    if (name === '') return listing(context.packages.tools().map((each) => each.name))
    const found = context.packages.tool(name)
    if (!found.ok) return found
    const reader = context.readerIn(found.folder)
    const address = await reader.resolve(found.entry)
    if (!address.ok) return address
    const loaded = await reader.load(address, `tool:${name}`)
    if (!loaded.ok) return loaded
    const { actions } = loaded.index
    const initial = found.default === undefined ? defaultIn(loaded) : found.default
    const action = choose(actions, id, initial)
    const wanted = id ?? initial
    if (action === null)
      return wanted === null ? severalActions(name, line, actions) : unknownAction(name, wanted, actions)
    const { powers } = found
    const call = { action, line, powers: powers(action.base), called: `/tool:${name}.${action.id}` }
    const inTool = context.with({ reader, powers })
    return keepingDocument(context.session, () => runAction(call, inTool))
  },
})

/** Of a file that nobody has installed, what it says now. */
function defaultIn({ page }: Loaded): string | null {
  const initial = page.document.frontMatter.values.get('default')
  return typeof initial === 'string' && initial !== '' ? initial : null
}

function listing(names: readonly string[]): Result {
  return ok('Tools', listNames(names) || '(none)', { tools: names })
}

function choose(actions: Actions, id: string | undefined, initial: string | null): PageAction<Base> | null {
  if (id !== undefined) return actions.get(id) ?? null
  if (initial !== null) return actions.get(initial) ?? null
  const [only] = actions.values()
  return actions.size === 1 && only !== undefined ? only : null
}

/** Whoever gave it something expected it to run. */
function severalActions(name: string, line: string, actions: Actions): Result {
  if (line.trim() === '' || line.trim() === '--help') return schemas(name, actions)
  const [first = '', rest = ''] = line.trim().split(/\s+(.*)/s)
  const isNamed = actions.has(first)
  const called = isNamed ? `/tool:${name}.${first} ${rest}` : `/tool:${name}.ACTION ${line}`
  const shown = truncate(visibleLine(called.trim()), LIMITS.shownValueChars)
  return fail(
    'USAGE',
    `tool:${name} ${actions.size === 0 ? 'has no actions' : 'has several actions and no default'}: nothing was run`,
    ...(actions.size === 0 ? [] : [`Actions: ${listNames([...actions.keys()])}`]),
    isNamed ? `Did you mean ${shown}?` : `Usage: ${shown}`,
  )
}

/** A tool that can do several things says what they are. */
function schemas(name: string, actions: Actions): Result {
  const data: Data[] = []
  const rows = [...actions.values()].slice(0, LIMITS.listedEntries).map((action) => {
    const { id } = action
    const called = `/tool:${name}.${id}`
    const read = describeAction(action, called)
    data.push(read.ok ? schemaData(read.declaration, read.effects) : { name: id, error: malformedText(id, read) })
    if (!read.ok) return visibleLine(`${called} (refused, ${placeText(read)}: ${read.problem}. ${read.instead})`)
    return actionSchema(read.declaration, read.effects)
  })
  return ok(`Tool: ${name}`, rows.length === 0 ? '(no actions)' : rows.join('\n\n'), { actions: data })
}

function unknownAction(name: string, id: string, actions: Actions): Failure {
  const close = nearest(id, [...actions.keys()])
  return fail(
    'ACTION_NOT_FOUND',
    `tool:${name} has no action ${quoted(id)}`,
    ...(close === null ? [] : [`Did you mean /tool:${name}.${close}?`]),
    actions.size === 0 ? 'It has none' : `Actions: ${listNames([...actions.keys()])}`,
  )
}
