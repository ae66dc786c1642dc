import type { ExecResult } from '@string-os/client'
import { type Data, isFields, type Json, visibleLine } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { connectAs } from '../agent/connect-as.ts'
import type { Invocation } from '../arguments.ts'
import { CliError, EXIT } from '../exit.ts'
import { calledFor, ownName } from '../program-name.ts'
import { formatResult } from '../run/output.ts'
import { dim } from '../terminal/color.ts'
import { lookOf, type StreamLook } from '../terminal/look.ts'
import { type Column, layTable } from '../terminal/table.ts'

const COLUMNS: readonly (Column & { readonly cell: (row: Data) => string })[] = [
  { title: 'NAME', most: 30, cell: ({ name }) => shown(name) },
  { title: 'KIND', most: 4, cell: ({ type }) => shown(type) },
  { title: 'VERSION', most: 20, cell: ({ version }) => shown(version) },
  { title: 'LINKED', most: 6, drop: 1, cell: linkedCell },
  { title: 'SOURCE', most: 200, cell: ({ source }) => shown(source) },
]

/** A link to what is not there any more does not work. */
function linkedCell({ linked, gone }: Data): string {
  if (linked !== true) return 'no'
  return gone === true ? 'gone' : 'yes'
}

/** `string app list`: the apps and the tools that are installed for the agent. */
export async function listPackages(invocation: Invocation, config: Config): Promise<number> {
  const client = await connectAs(invocation, config)
  // In topics of their own, so that what is open in another one stays.
  const apps: ExecResult = await client.exec('app', '/open app')
  const tools: ExecResult = await client.exec('tool', '/open tool')
  const packages = [...packagesOf(apps), ...packagesOf(tools)]
  const look = lookOf(process.stdout, config)
  if (invocation.format === 'json') {
    const content = table(packages, { ...look, color: false, width: null }, invocation)
    process.stdout.write(`${formatResult({ ...apps, content, data: { packages } }, 'app', 'json')}\n`)
  } else process.stdout.write(`${table(packages, look, invocation)}\n`)
  return EXIT.ok
}

function packagesOf({ ok, content, data }: ExecResult): readonly Data[] {
  if (!ok) throw new CliError(EXIT.commandError, content)
  return Array.isArray(data?.packages) ? data.packages.filter(isRow) : []
}

function isRow(value: Json): value is Data {
  return isFields(value)
}

function table(packages: readonly Data[], { color, width }: StreamLook, { agent }: Invocation): string {
  if (packages.length === 0)
    return `No apps and no tools are installed; ${calledFor(agent, ownName())} app install SOURCE installs one`
  const rows = packages.map((row) => COLUMNS.map(({ cell }) => cell(row)))
  const { head, line } = layTable(COLUMNS, rows, { width })
  return [dim(head.trimEnd(), color), ...rows.map(line)].join('\n')
}

function shown(value: Json | undefined): string {
  return typeof value === 'string' ? visibleLine(value) : ''
}
