import { announced, type Data, type Result, visibleLine } from '@string-os/protocol'
import { malformedText } from '../../action/declare/declaration.ts'
import { actionRow, fieldRow } from '../../action/declare/schema.ts'
import { schemaData } from '../../action/declare/schema-data.ts'
import type { LookedInside, PackageAction } from '../../packages/source/look-inside.ts'
import { defaultText, planText } from '../../packages/source/plan-text.ts'
import { type PackageRecord, sourceKind, wholeSource } from '../../packages/state/package-record.ts'
import { goneLink } from '../../packages/use/gone-link.ts'
import type { NeededVariable } from '../../packages/use/package-powers.ts'
import { describeAction } from '../act/describe-action.ts'
import { bareName, noPackageNamed } from '../act/named-package.ts'
import type { CommandContext } from '../core/context.ts'

interface Known {
  readonly record: PackageRecord
  readonly looked: LookedInside
  readonly variables: readonly NeededVariable[]
  readonly missing: ReturnType<CommandContext['packages']['missing']>
}

/** One installed package: all that a person or a program asks about it, and nothing of it runs. */
export async function packageInfo(typed: string, { packages }: CommandContext): Promise<Result> {
  const name = bareName(typed)
  const installed = packages.list()
  const found = installed.find(({ record }) => record.local === name)
  if (found === undefined)
    return noPackageNamed(
      name,
      installed.map(({ record }) => record.local),
    )
  const gone = goneLink(found)
  if (gone !== null) return gone
  const looked = await packages.look(found)
  if (!looked.ok) return looked
  const { record } = found
  const known = { record, looked, variables: packages.variables(found), missing: packages.missing(found) }
  const version = record.version === null ? '' : `, version ${visibleLine(record.version)}`
  return announced(`${record.type}:${record.local}${version}`, textOf(known), dataOf(known))
}

function textOf({ record, looked, variables, missing }: Known): string {
  const { type, local, title, description } = record
  const { plan, files, documents, actions } = looked
  const about = [title, description].filter((text) => text !== null)
  return [
    ...(about.length === 0 ? [] : [visibleLine(about.join(': '))]),
    `Installed: ${record.installedAt} (${sourceKind(record)})`,
    planText({ record, plan, from: wholeSource(record), files, missing }),
    ...listed('Documents', documents.map(visibleLine)),
    ...listed(
      'Actions',
      actions.map((action) => actionText(action, record)),
    ),
    ...listed('Variables', variables.map(variableText)),
    type === 'app' ? `Next: /open app:${local}` : `Next: /tool:${local} --help`,
  ].join('\n')
}

function listed(title: string, rows: readonly string[]): string[] {
  return rows.length === 0 ? [] : [`${title}:`, ...rows.map((row) => `- ${row}`)]
}

function calledAs({ source }: PackageAction, { type, local }: PackageRecord): string | undefined {
  return type === 'tool' ? `/tool:${local}.${source.id}` : undefined
}

/** How it is called, and below it what it takes; in which document it stands, where that is not the first. */
function actionText(action: PackageAction, record: PackageRecord): string {
  const read = describeAction(action, calledAs(action, record))
  const where = action.document === record.entry ? '' : `, in ${action.document}`
  if (!read.ok) return visibleLine(`${action.source.id} (refused, line ${read.line}: ${read.problem}${where})`)
  const { declaration, effects } = read
  const head = `${actionRow(declaration, effects)}${visibleLine(where)}`
  return [head, ...declaration.fields.map((field) => `  ${fieldRow(field)}`)].join('\n')
}

const FROM = {
  global: 'set, for all',
  app: 'set, for it alone',
  config: 'set, for a configuration',
  environment: 'set, in the environment of the daemon',
} as const

function variableText({ name, from, fallback }: NeededVariable): string {
  if (from === null || from === 'default') return `$${name}: ${['not set', ...defaultText({ fallback })].join(', ')}`
  return `$${name}: ${FROM[from]}`
}

function dataOf({ record, looked, variables }: Known): Data {
  const { runs, reads, writes, reaches, requests, refused } = looked.plan
  return {
    name: record.local,
    type: record.type,
    title: record.title,
    description: record.description,
    version: record.version,
    source: wholeSource(record),
    source_kind: sourceKind(record),
    linked: record.linked,
    folder: record.folder,
    installed_at: record.installedAt,
    default: record.default,
    documents: looked.documents,
    actions: looked.actions.map((action) => actionData(action, record)),
    runs,
    reads_files: reads,
    writes_files: writes,
    reaches,
    requests,
    refused,
    variables: variables.map(({ name, description, from, fallback }) => ({
      name,
      description,
      set: from,
      default: fallback,
    })),
  }
}

function actionData(action: PackageAction, record: PackageRecord): Data {
  const { document, source } = action
  const read = describeAction(action, calledAs(action, record))
  if (!read.ok) return { name: source.id, document, error: malformedText(source.id, read) }
  return { document, ...schemaData(read.declaration, read.effects) }
}
