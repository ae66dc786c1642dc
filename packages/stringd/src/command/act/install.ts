import {
  announced,
  count,
  type Data,
  type Failure,
  fail,
  listNames,
  ok,
  type Result,
  visibleLine,
} from '@string-os/protocol'
import type { CommandContext } from '../core/context.ts'
import { defineCommand } from '../core/define.ts'

type Prepared = Extract<Awaited<ReturnType<CommandContext['packages']['prepare']>>, { ok: true }>

export const install = defineCommand({
  name: 'install',
  summary: 'Install an app or a tool, or see what it would do',
  params: { source: 'required' },
  flags: {
    app: { type: 'boolean', summary: 'as an app, whatever it says it is' },
    tool: { type: 'boolean', summary: 'as a tool' },
    as: { type: 'string', summary: 'under another name' },
    link: { type: 'boolean', summary: 'register the URL only; it keeps the powers of a web page' },
    replace: { type: 'boolean', summary: 'in the place of another package of that name' },
    'dry-run': { type: 'boolean', summary: 'only say what it would run, reach and read' },
  },
  body: 'none',
  details: [
    'SOURCE is a Markdown file, a folder with a `string.md`, the URL of a Markdown file, or a URL that answers with a manifest',
    '`{"files": [{"path", "url" or "content"}], "delivery"}`. Everything is checked before anything is written.',
    'An installed package may run commands, reach hosts and read the stored variables that it lists: the answer names them.',
    'Installing a package again from the same source replaces it. Another one, or one from elsewhere, under the same name is a',
    'conflict until `--replace`, and gets none of its variables.',
  ],
  examples: [
    '/install --dry-run ./weather',
    '/install ./weather',
    '/install --tool --as lint ~/tools/lint.md',
    '/install https://example.com/apps/weather.md',
  ],
  async run({ source, app, tool, as, link, replace, 'dry-run': dryRun }, context) {
    if (app && tool)
      return fail('INVALID_PARAMS', 'A package is an app or a tool, not both', 'Leave out --app or --tool')
    const from = sourceOf(source, link, context)
    if (!from.ok) return from
    const type = tool ? 'tool' : app ? 'app' : undefined
    const prepared = await context.packages.prepare(from.source, { as, type, replace })
    if (!prepared.ok) return prepared
    const name = `${prepared.record.type}:${prepared.record.local}`
    const plan = describe(prepared, context)
    if (dryRun)
      return context.packages.conflict(prepared) ?? announced(`Would install ${name}`, plan, fields(prepared, false))
    const before = context.packages.list().find(({ record }) => record.local === prepared.record.local)?.record
    const failure = await context.packages.install(prepared)
    // What its topics hold belongs to the package that was there.
    if (failure === null && before !== undefined && before.origin !== prepared.record.origin)
      await context.closeApp(prepared.record.local)
    return failure ?? announced(`Installed ${name}`, plan, fields(prepared, true))
  },
})

export const uninstall = defineCommand({
  name: 'uninstall',
  summary: 'Remove an app or a tool, and its topics',
  params: { name: 'required' },
  flags: {},
  body: 'none',
  details: ['Its stored variables stay, for when it is installed again from the same source.'],
  examples: ['/uninstall weather'],
  async run({ name: typed }, { packages, closeApp }): Promise<Result> {
    const name = typed.replace(/^(?:app|tool):/, '')
    const installed = packages.list().map(({ record }) => record.local)
    if (!installed.includes(name)) return notInstalled(name, installed)
    const failure = await packages.uninstall(name)
    if (failure !== null) return failure
    await closeApp(name)
    return ok(`Uninstalled ${name}`, null, { name })
  },
})

function fields({ record, plan }: Prepared, installed: boolean): Data {
  const { local, type, linked, needs } = record
  const { runs, reaches, refused } = plan
  const files = { reads_files: plan.reads, writes_files: plan.writes }
  return {
    name: local,
    type,
    linked,
    installed,
    runs,
    reads: needs.map(({ name }) => name),
    ...files,
    reaches,
    refused,
  }
}

interface FoundSource {
  readonly ok: true
  readonly source: Parameters<CommandContext['packages']['prepare']>[0]
}

function sourceOf(typed: string, link: boolean, { workspace, signal }: CommandContext): FoundSource | Failure {
  if (/^https?:\/\//i.test(typed)) return { ok: true, source: { kind: 'url', url: typed, link, signal } }
  if (link)
    return fail('INVALID_PARAMS', '--link takes a URL', 'A file or folder is copied: /install it again after a change')
  const place = workspace.locate(typed)
  if (!place.ok) return place
  if (!place.exists) return fail('NOT_FOUND', `File not found: ${typed}`, '/ls shows what exists')
  const guard = (path: string): Failure | null => {
    const found = workspace.locate(path)
    return found.ok ? null : found
  }
  return { ok: true, source: { kind: 'local', real: place.real, typed, guard } }
}

/** What the package may do, as it was found out before anything was written. */
function describe({ record, source, plan }: Prepared, { packages }: CommandContext): string {
  const bytes = [...source.files.values()].reduce((sum, file) => sum + file.bytes.length, 0)
  const missing = new Set(packages.missing({ record }).map(({ name }) => name))
  const reads = record.needs.map(({ name, description }) => {
    const note = missing.has(name) ? `not set: /set $${name} = "value"${whereToSet(record)}` : ''
    return `$${name}${description === null ? '' : ` (${visibleLine(description)})`}${note === '' ? '' : ` · ${note}`}`
  })
  // What a program does is its own affair: not known is not nothing.
  const unknown = (what: string): string[] => (plan.runs.length === 0 ? [] : [`anything: its commands ${what}`])
  const may = record.linked
    ? ['It stays a page from the web: it runs no commands, and reads no stored variables and no files.']
    : [
        ...section('Runs', plan.runs.map(runRow)),
        ...section('Reads', [...reads, ...plan.reads, ...unknown('may read any file')]),
        ...section('Writes', [...plan.writes, ...unknown('may write any file')]),
      ]
  const reaches = [...plan.reaches, ...(plan.reaches.length === 0 ? [] : ['wherever these redirect'])]
  return [
    `From: ${visibleLine(source.from)}${record.linked ? ' (linked)' : ` (${count(source.files.size, 'file')}, ${count(bytes, 'byte')})`}`,
    ...may,
    ...section('Reaches', [...reaches, ...(record.linked ? [] : unknown('may use the network'))]),
    ...(plan.refused.length === 0 ? [] : section('Refused, and never run', plan.refused)),
    ...(plan.unread.length === 0 ? [] : section('Could not be looked at', plan.unread)),
    ...(record.default === null || record.linked ? [] : [`When opened it runs: ${record.default}`]),
    record.type === 'app' ? `Next: /open app:${record.local}` : `Next: /tool:${record.local} --help`,
  ].join('\n')
}

function runRow({ action, command, unsafe }: Prepared['plan']['runs'][number]): string {
  return `${action}: \`${command}\`${unsafe ? ' (values may run as code)' : ''}`
}

function whereToSet({ type, local }: Prepared['record']): string {
  return type === 'app' ? ` in app:${local}` : ''
}

/** A section of the plan with all its rows: what is left out could be what matters. */
function section(title: string, rows: readonly string[]): string[] {
  return rows.length === 0 ? [`${title}: nothing`] : [`${title}:`, ...rows.map((row) => `- ${row}`)]
}

function notInstalled(name: string, names: readonly string[]): Failure {
  return fail(
    'NOT_FOUND',
    `Nothing is installed as ${name}`,
    names.length === 0 ? 'No packages are installed' : `Installed: ${listNames(names)}`,
  )
}
