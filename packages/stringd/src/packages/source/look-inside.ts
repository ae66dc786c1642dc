import type { Failure } from '@string-os/protocol'
import type { ActionSource } from '../../document/document.ts'
import { isMarkdownName } from '../../document/parse/file-names.ts'
import type { PackageRecord } from '../state/package-record.ts'
import { decode, type PackageFile } from './package-files.ts'
import { type ParseMarkdown, type Plan, readPlan } from './plan.ts'
import { readLocal } from './read-local.ts'

/** An action of a package, with the document in which it stands. */
export interface PackageAction {
  readonly document: string
  readonly source: ActionSource
  readonly response: ActionSource | null
}

/** What is in an installed package now, and what it may do. */
export interface LookedInside {
  readonly ok: true
  readonly files: ReadonlyMap<string, PackageFile>
  readonly documents: readonly string[]
  readonly actions: readonly PackageAction[]
  readonly plan: Plan
}

const NOTHING: Plan = {
  runs: [],
  reaches: [],
  requests: [],
  defaultHosts: [],
  defaults: [],
  reads: [],
  writes: [],
  refused: [],
  unread: [],
}

/** Reads it as it is on the disk; a linked page is not fetched for it. */
export async function lookInside(
  { record, folder }: { readonly record: PackageRecord; readonly folder: string | null },
  parse: ParseMarkdown,
): Promise<LookedInside | Failure> {
  if (folder === null) return { ok: true, files: new Map(), documents: [record.entry], actions: [], plan: NOTHING }
  const typed = `${record.type}:${record.local}`
  const source = await readLocal({ kind: 'local', real: folder, typed, link: false, guard: () => null })
  if (!source.ok) return source
  const documents = [...source.files.keys()].filter((path) => isMarkdownName(path) && path.includes('.'))
  // What is opened comes first.
  const sorted = documents.toSorted((a, b) => Number(b === record.entry) - Number(a === record.entry))
  const actions: PackageAction[] = []
  for (const path of sorted) actions.push(...(await actionsIn(path, source.files, parse)))
  return {
    ok: true,
    files: source.files,
    documents: sorted,
    actions,
    plan: await readPlan(source, record.needs, parse),
  }
}

async function actionsIn(
  path: string,
  files: ReadonlyMap<string, PackageFile>,
  parse: ParseMarkdown,
): Promise<PackageAction[]> {
  const decoded = decode(files.get(path)?.bytes ?? new Uint8Array(), path)
  const parsed = decoded.ok ? await parse(decoded.text) : null
  if (parsed?.ok !== true) return []
  const { actions } = parsed.document
  const responses = actions.filter(({ part }) => part === 'response')
  return actions.flatMap((source) => {
    const response = responses.find(({ id }) => id === source.id) ?? null
    return source.part === 'action' ? [{ document: path, source, response }] : []
  })
}
