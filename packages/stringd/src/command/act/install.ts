import { announced, count, type Data, type Failure, fail, ok, type Result, visibleLine } from '@string-os/protocol'
import { mistakeLines, type PackageProblem } from '../../packages/check/package-problem.ts'
import { type Changes, changesData, changesText } from '../../packages/source/changes.ts'
import type { InstallOptions } from '../../packages/source/inspect.ts'
import { planText } from '../../packages/source/plan-text.ts'
import { type PackageRecord, spelledSource, wholeSource } from '../../packages/state/package-record.ts'
import { goneForGood } from '../../packages/use/gone-link.ts'
import type { CommandContext } from '../core/context.ts'
import { defineCommand } from '../core/define.ts'
import { sourceOf } from './install-source.ts'
import { asWord, bareName, noPackageNamed } from './named-package.ts'

type Prepared = Extract<Awaited<ReturnType<CommandContext['packages']['prepare']>>, { ok: true }>

export const install = defineCommand({
  name: 'install',
  summary: 'Install an app or a tool, or see what it would do',
  params: { source: 'required' },
  flags: {
    app: { type: 'boolean', summary: 'as an app, whatever it says it is' },
    tool: { type: 'boolean', summary: 'as a tool' },
    as: { type: 'string', summary: 'under another name' },
    link: { type: 'boolean', summary: 'use a folder where it is, or register a URL only, which stays a web page' },
    update: { type: 'boolean', summary: 'SOURCE is the name of an installed package: take it anew from where it came' },
    replace: { type: 'boolean', summary: 'in the place of another package of that name' },
    'dry-run': { type: 'boolean', summary: 'only say what it would run, reach and read' },
  },
  body: 'none',
  details: [
    'SOURCE is a Markdown file, a folder with a `string.md`, an archive of one (`.tgz`), the URL of any of these but a folder, a URL that answers',
    'with a manifest `{"files": [{"path", "url" or "content"}], "delivery"}`, or a git repository: `https://host/name.git`, `git@host:name.git`,',
    '`./name.git`, with `#TAG`, `#TAG:FOLDER` or `#:FOLDER`. Everything is checked before anything is written.',
    'An installed package may run commands, reach hosts and read the stored variables that it lists: the answer names them.',
    'Installing a package again from the same source replaces it. Another one, or one from elsewhere, under the same name is a',
    'conflict until `--replace`, and gets none of its variables. What it may do that the installed version may not is said first.',
  ],
  examples: [
    '/install --dry-run ./weather',
    '/install ./weather',
    '/install --tool --as lint ~/tools/lint.md',
    '/install --link ./weather',
    '/install https://example.com/weather.git#v1.2.0',
    '/install --update weather',
  ],
  async run({ source, app, tool, as, link, replace, update, 'dry-run': dryRun }, context) {
    if (app && tool)
      return fail('INVALID_PARAMS', 'A package is an app or a tool, not both', 'Leave out --app or --tool')
    const wanted: Wanted = { ok: true, source, as, type: tool ? 'tool' : app ? 'app' : undefined, link }
    const asked = update ? again(wanted, context) : wanted
    if (!asked.ok) return asked
    const flags = given({ link: asked.link, app, tool, 'dry-run': dryRun })
    const placed = [...given({ replace }), ...(as === undefined ? [] : ['--as', as])]
    const from = sourceOf(asked, context, [update ? 'update' : 'install', ...flags, ...placed, source])
    if (!from.ok) return from
    const typed = { source: asked.source, flags }
    const prepared = await context.packages.prepare(from.source, { ...asked, replace, asked: typed })
    if (!prepared.ok) return prepared
    const conflict = context.packages.conflict(prepared)
    if (conflict !== null) return conflict
    const name = `${prepared.record.type}:${prepared.record.local}`
    const changes = await context.packages.changes(prepared)
    const before = context.packages.list().find(({ record }) => record.local === prepared.record.local)?.record
    const text = [
      ...otherwise(before, prepared.record),
      told(prepared, changes, context, { isUpdate: update, isDry: dryRun === true }),
    ].join('\n')
    const isCurrent = update && changes !== null && isCurrentNow(changes, before, prepared.record)
    const said = (done: string): string => (isCurrent ? `${name} is up to date` : `${done} ${name}`)
    if (dryRun) return announced(said('Would install'), text, fields(prepared, changes, false))
    const failure = await context.packages.install(prepared)
    // What its topics hold belongs to the package that was there.
    if (failure === null && before !== undefined && before.origin !== prepared.record.origin)
      await context.closeApp(prepared.record.local)
    return failure ?? announced(said('Installed'), text, fields(prepared, changes, true))
  },
})

/** A link that becomes a copy, or the reverse, or leads elsewhere: where its author's changes count is another place then. */
function otherwise(before: PackageRecord | undefined, record: PackageRecord): string[] {
  const { linked, folder } = record
  if (before === undefined) return []
  const was = before.linked ? `linked to ${visibleLine(before.folder ?? before.entry)}` : 'a copy'
  if (linked && before.linked && before.folder === folder) return []
  if (linked) return [`Was ${was}; now linked`]
  return before.linked ? [`Was ${was}; now a copy`] : []
}

/** Flags as they are typed. */
function given(flags: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(flags).flatMap(([name, isGiven]) => (isGiven ? [`--${name}`] : []))
}

interface Wanted extends Omit<InstallOptions, 'replace' | 'asked'> {
  readonly ok: true
  readonly source: string
  readonly link: boolean
}

/** An installed package from where it came, under its name and as what it is. */
function again({ source, as, type, link, ok }: Wanted, { packages }: CommandContext): Wanted | Failure {
  const name = bareName(source)
  const installed = packages.list()
  const found = installed.find(({ record }) => record.local === name)
  if (found === undefined)
    return noPackageNamed(
      name,
      installed.map(({ record }) => record.local),
    )
  const there = found.record
  const gone = goneForGood(found)
  if (gone !== null) return gone
  return {
    ok,
    source: spelledSource(there.again),
    as: as ?? name,
    type: type ?? there.type,
    link: link || there.linked,
  }
}

export const uninstall = defineCommand({
  name: 'uninstall',
  summary: 'Remove an app or a tool, and its topics',
  params: { name: 'required' },
  flags: {
    purge: { type: 'boolean', summary: 'remove its stored variables, too; also of what is not installed any more' },
  },
  body: 'none',
  details: [
    'Its stored variables stay, for when it is installed again from the same source; the answer names them.',
    '`--purge` removes them, in all configurations of it.',
  ],
  examples: ['/uninstall weather', '/uninstall --purge weather'],
  async run({ name: typed, purge }, { packages, closeApp }): Promise<Result> {
    const name = bareName(typed)
    const installed = packages.list().map(({ record }) => record)
    const there = installed.find(({ local }) => local === name)
    const origin = there?.origin ?? null
    const stored = packages.stored(name, origin)
    if (there === undefined && !(purge && stored.length > 0)) {
      const locals = installed.map(({ local }) => local)
      return noPackageNamed(name, locals, stored)
    }
    const failure = there === undefined ? null : await packages.uninstall(name)
    if (failure !== null) return failure
    if (there !== undefined) await closeApp(name)
    const left = purge ? await packages.forget(name, origin) : null
    const elsewhere = packages.stored(name, null).filter((each) => purge || !stored.includes(each))
    return left ?? removed(name, { isThere: there !== undefined, stored, elsewhere, purge })
  },
})

interface Removed {
  /** It was installed until now. */
  readonly isThere: boolean
  readonly stored: readonly string[]
  /** What is left after that: of packages from other sources, which had the same name before. */
  readonly elsewhere: readonly string[]
  readonly purge: boolean
}

function removed(name: string, { isThere, stored, elsewhere, purge }: Removed): Result {
  const data = {
    name,
    variables_kept: purge ? elsewhere : [...stored, ...elsewhere],
    variables_removed: purge ? stored : [],
  }
  const system = isThere ? `Uninstalled ${name}` : `Removed what was stored for ${name}`
  const rows = [
    ...(stored.length === 0 ? [] : [`Its stored variables ${purge ? 'are removed' : STAY}: ${secretNames(stored)}`]),
    ...(elsewhere.length === 0
      ? []
      : [`Variables that others of that name have stored stay: ${secretNames(elsewhere)}`]),
  ]
  if (rows.length === 0) return ok(system, null, data)
  // What was just typed removes something else now: nothing has that name any more.
  const lead = purge ? 'They are of other sources. Once more removes them, too' : 'Remove them'
  const next = purge && elsewhere.length === 0 ? [] : [`${lead}: /uninstall --purge ${asWord(name)}`]
  return announced(system, [...rows, ...next].join('\n'), data)
}

const STAY = 'stay, for when it is installed again from the same source'

function secretNames(names: readonly string[]): string {
  return names.map((each) => `$${each}`).join(', ')
}

function fields({ record, plan }: Prepared, changes: Changes | null, installed: boolean): Data {
  const { local, type, linked, folder, needs } = record
  const { runs, reaches, requests, refused } = plan
  const files = { reads_files: plan.reads, writes_files: plan.writes }
  return {
    name: local,
    type,
    source: wholeSource(record),
    linked,
    folder,
    installed,
    runs,
    reads: needs.map(({ name }) => name),
    ...files,
    reaches,
    requests,
    refused,
    version: record.version,
    changes: changes === null ? null : changesData(changes),
  }
}

/** What is different comes first: of a package that one knows, it is all there is to read. */
function told(
  { record, source, plan, mistakes }: Prepared,
  changes: Changes | null,
  { packages }: CommandContext,
  { isUpdate, isDry }: { readonly isUpdate: boolean; readonly isDry: boolean },
): string {
  const { from, files, secrets } = source
  const pinned = isUpdate ? pinnedRow(source) : []
  const use = record.type === 'app' ? `Next: /open app:${record.local}` : `Next: /tool:${record.local} --help`
  const next = isDry ? 'Next: the same without --dry-run, which installs it' : use
  if (isUpdate && changes !== null && isSame(changes)) return [changesText(changes), ...pinned, use].join('\n')
  const text = planText({ record, plan, from, files, secrets, missing: packages.missing({ record }) })
  const different = changes === null ? '' : changesText(changes)
  return [
    ...refusedRow(plan),
    ...(different === '' ? [] : [different]),
    text,
    ...mistakeRows(mistakes),
    ...pinned,
    next,
  ].join('\n')
}

/** Below they are named, behind all that it does; who installs it reads the first lines. */
function refusedRow({ refused }: Prepared['plan']): string[] {
  if (refused.length === 0) return []
  return [
    `${count(refused.length, 'action')} of it ${refused.length === 1 ? 'is' : 'are'} refused, and never run: see below`,
  ]
}

/** What names one version stays at it, however often it is taken anew. */
function pinnedRow({ ref, again }: Prepared['source']): string[] {
  if (ref === undefined) return []
  const other = visibleLine(spelledSource(again).replace(`#${ref.name}`, '#OTHER'))
  const follows =
    ref.kind === 'branch'
      ? `It follows the branch ${ref.name}: an update takes what that is now`
      : `It is pinned at the ${ref.kind} ${ref.name}: an update takes that again, and never a newer version`
  return [`${follows}. Another: /install ${other}`]
}

/** Of a link only what its front matter says is taken anew: its files count as they are. */
function isCurrentNow(changes: Changes, before: PackageRecord | undefined, now: PackageRecord): boolean {
  if (!changes.isSameLink || before === undefined) return isSame(changes)
  const [was, is] = [before, now].map(({ entry, needs, default: initial, version, title, description }) =>
    JSON.stringify([entry, needs, initial, version, title, description]),
  )
  return was === is
}

/** Of the same link nobody has compared the files. */
function isSame({ gained, lost, version: [was, is], added, changed, removed, isSameLink }: Changes): boolean {
  return !isSameLink && was === is && [gained, lost, added, changed, removed].every(({ length }) => length === 0)
}

/** What is refused is in the plan already. */
function mistakeRows(mistakes: readonly PackageProblem[]): string[] {
  const programs = new Set(mistakes.flatMap(({ lacks }) => (lacks?.isRun === true ? [lacks.program] : [])))
  const others = mistakes.filter(({ problem, lacks }) => lacks === undefined && !problem.includes(' is refused: '))
  return [
    ...(programs.size === 0 ? [] : [`It starts programs that this machine lacks: ${[...programs].join(', ')}`]),
    ...(others.length === 0 ? [] : ['Its author would want to know:', ...mistakeLines(others)]),
  ]
}
