import { count, visibleLine } from '@string-os/protocol'
import { isLinkedPage, type Need, type PackageRecord } from '../state/package-record.ts'
import type { PackageFile } from './package-files.ts'
import type { Plan } from './plan.ts'

/** What decides what a package may do. */
export interface MayDo {
  readonly record: Pick<PackageRecord, 'local' | 'type' | 'linked' | 'folder' | 'needs' | 'default'>
  readonly plan: Plan
}

export interface Described extends MayDo {
  readonly from: string
  readonly files: ReadonlyMap<string, PackageFile>
  /** What lies beside those and is left behind. */
  readonly secrets?: readonly string[] | undefined
  /** Of what it reads, the variables that nobody has set. */
  readonly missing: readonly Need[]
}

/** What a package is and may do, a line each and nothing left out: what is left out could be what matters. */
export function planText({ record, plan, from, files, secrets = [], missing }: Described): string {
  const isPage = isLinkedPage(record)
  return [
    `From: ${visibleLine(from)} ${record.linked ? '(linked)' : `(${sizeOf(files)})`}`,
    ...(secrets.length === 0 ? [] : section('Left out, as they may hold secrets', secrets.map(visibleLine))),
    ...(isPage ? [PAGE] : ownPowers({ record, plan }, missing)),
    ...section('Reaches', [...hosts(plan), ...(isPage ? [] : unknown(plan, 'may use the network'))]),
    ...(plan.refused.length === 0 ? [] : section('Refused, and never run', plan.refused)),
    ...(plan.unread.length === 0 ? [] : section('Could not be looked at', plan.unread)),
    ...(record.folder === null ? [] : [LINKED]),
    ...(record.default === null || isPage
      ? []
      : [`${record.type === 'tool' ? 'Called without ACTION' : 'When opened'} it runs: ${record.default}`]),
  ].join('\n')
}

/** The same as a list that can be compared with that of another version. */
export function listedPowers({ record, plan }: MayDo): string[] {
  const reaches = [
    ...plan.reaches.map((host) => `reaches ${host}`),
    ...plan.requests.map((request) => `sends ${requestRow(request)}`),
    ...new Set(plan.requests.flatMap((request) => sentVariables(request))),
  ]
  if (isLinkedPage(record)) return reaches
  return [
    ...plan.runs.map((run) => `runs ${runRow(run)}`),
    ...frontMatterPowers(record),
    ...(plan.runs.length === 0 ? [] : ['its commands may read and write any file, and use the network']),
    ...plan.reads.map((file) => `reads ${file}`),
    ...plan.writes.map((file) => `writes ${file}`),
    ...reaches,
  ]
}

/** What of it its front matter decides. */
function frontMatterPowers({ default: first, type, needs }: MayDo['record']): string[] {
  return [
    ...(first === null || type === 'tool' ? [] : [`runs ${first} by itself, when opened`]),
    ...needs.map(({ name }) => `reads $${name}`),
    ...needs.filter(({ isSecret }) => !isSecret).map(({ name }) => `shows $${name}`),
  ]
}

/** What its requests come to as long as nobody sets what stands in their host, each with how it is written. */
export function defaultPowers({ plan }: MayDo): { readonly written: string; readonly filled: string }[] {
  return plan.defaultHosts.flatMap(({ request, host, address }) => {
    const filled = { ...request, host, address }
    const sent = sentVariables(request)
    return [
      { written: `reaches ${request.host}`, filled: `reaches ${host}` },
      { written: `sends ${requestRow(request)}`, filled: `sends ${requestRow(filled)}` },
      ...sentVariables(filled, request.host).map((row, index) => ({ written: sent[index] ?? row, filled: row })),
    ]
  })
}

/** The default of a variable, which is no secret. */
export function defaultText({ fallback }: Pick<Need, 'fallback'>): string[] {
  return fallback === null ? [] : [`default ${visibleLine(fallback)}`]
}

const PAGE = 'It stays a page from the web: it runs no commands, and reads no stored variables and no files.'
const LINKED = 'It is used where it is: what changes there counts at once, but for the front matter.'

function ownPowers({ record, plan }: MayDo, missing: readonly Need[]): string[] {
  const unset = new Set(missing.map(({ name }) => name))
  const reads = record.needs.map(({ name, description, isSecret, fallback }) => {
    const shown = isSecret ? '' : ' · no secret: shown as it is'
    const note = unset.has(name) ? ` · not set: /set $${name} = "value"${whereToSet(record)}` : ''
    return (
      [`$${name}${description === null ? '' : ` (${visibleLine(description)})`}`, ...defaultText({ fallback })].join(
        ', ',
      ) +
      shown +
      note
    )
  })
  return [
    ...section('Runs', plan.runs.map(runRow)),
    ...section('Reads', [...reads, ...plan.reads, ...unknown(plan, 'may read any file')]),
    ...section('Writes', [...plan.writes, ...unknown(plan, 'may write any file')]),
  ]
}

/** What a program does is its own affair: not known is not nothing. */
function unknown({ runs }: Plan, what: string): string[] {
  return runs.length === 0 ? [] : [`anything: its commands ${what}`]
}

/** Each with what is asked of it below. */
function hosts({ reaches, requests, defaultHosts }: Plan): string[] {
  if (reaches.length === 0) return []
  const rows = reaches.map((host) => {
    const asked = requests.filter((request) => request.host === host)
    const values = new Set(
      defaultHosts.filter(({ request }) => request.host === host).map((each) => each.values.join(', ')),
    )
    const otherwise = values.size === 0 ? '' : ` (${[...values].map(visibleLine).join('; ')})`
    return [
      `${host}${otherwise}`,
      ...asked.map((request) => `  - ${requestRow(request)}${unseenVariables(request)}`),
    ].join('\n')
  })
  return [...rows, 'wherever these redirect']
}

function requestRow({ action, method, address }: Plan['requests'][number]): string {
  return `${action}: ${method} ${address}`
}

/** What the address does not show. */
function unseenVariables({ address, variables }: Plan['requests'][number]): string {
  const unseen = variables.map((name) => `$${name}`).filter((name) => !address.includes(name))
  return unseen.length === 0 ? '' : ` with ${unseen.join(', ')}`
}

/** Each by its host: the same request to the same place may give away more than it did. */
function sentVariables({ host, variables }: Plan['requests'][number], written = host): string[] {
  return variables.filter((name) => !written.includes(`$${name}`)).map((name) => `sends $${name} to ${host}`)
}

function runRow({ action, command, unsafe }: Plan['runs'][number]): string {
  return `${action}: \`${command}\`${unsafe ? ' (values may run as code)' : ''}`
}

function whereToSet({ type, local }: MayDo['record']): string {
  return type === 'app' ? ` in app:${local}` : ''
}

function section(title: string, rows: readonly string[]): string[] {
  return rows.length === 0 ? [`${title}: nothing`] : [`${title}:`, ...rows.map((row) => `- ${row}`)]
}

function sizeOf(files: ReadonlyMap<string, PackageFile>): string {
  const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes.length, 0)
  return `${count(files.size, 'file')}, ${count(bytes, 'byte')}`
}
