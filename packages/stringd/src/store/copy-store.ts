import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isFields, parseJson } from '@string-os/protocol'
import { ARCHIVE_TABLES, type Archive, type ArchiveRow, type ArchiveTable, type ArchiveValue } from './archive.ts'
import { COPY_PROGRESS, LAST_ID } from './own-marks.ts'
import { StoreRefused } from './refused.ts'

export interface CopyStep {
  readonly what: 'copied' | 'compared'
  readonly table: string
  readonly rows: number
  readonly total: number
}

export interface CopiedTable {
  readonly name: string
  readonly rows: number
  /** Of all rows, in whatever order. */
  readonly digest: string
}

export interface CopyReport {
  readonly from: string
  readonly to: string
  /** It went on where an earlier one stopped. */
  readonly isResumed: boolean
  readonly tables: readonly CopiedTable[]
  /** Rows of the source that are not what was stored, and were not copied. */
  readonly damaged: number
}

interface CopyParts {
  readonly from: Archive
  readonly to: Archive
  readonly onStep: (step: CopyStep) => void
}

/** Copies everything to a store that is empty, or to which an earlier copy from the same one was not finished; compares both. */
export async function copyStore({ from, to, onStep }: CopyParts): Promise<CopyReport> {
  const progress = await begin(from, to)
  const isResumed = Object.keys(progress.places).length > 0
  for (const table of ARCHIVE_TABLES) await copyTable({ from, to, onStep }, table, progress)
  const tables: CopiedTable[] = []
  let damaged = await from.countSetAside()
  for (const table of ARCHIVE_TABLES) {
    const compared = await compareTable({ from, to, onStep }, table, progress, isResumed)
    tables.push(compared.copied)
    damaged += compared.damaged
  }
  await to.finish(await from.lastEventId())
  return { from: from.where, to: to.where, isResumed, tables, damaged }
}

/** How far it is: of each table where the next part begins, or that there is none. */
interface Progress {
  readonly from: string
  places: Readonly<Record<string, string>>
}

const ALL = 'all'

async function begin(from: Archive, to: Archive): Promise<Progress> {
  if ((await from.progress()) !== null)
    throw new StoreRefused(`${from.where} holds a copy that was not finished: copy from where that one came`)
  const said = await to.progress()
  if (said !== null) return resumed(said, from, to)
  for (const table of ARCHIVE_TABLES) {
    const { rows } = await to.page(table, null)
    if (rows.some((row) => isCopied(table, row)))
      throw new StoreRefused(`${to.where} is not empty: it has ${table.name}. Name a store that holds nothing`)
  }
  return { from: from.where, places: {} }
}

function resumed(said: string, from: Archive, to: Archive): Progress {
  const stored = parseJson(said)
  const source = isFields(stored) ? stored.from : undefined
  if (!isFields(stored) || source !== from.where || !isFields(stored.places))
    throw new StoreRefused(
      `${to.where} holds a copy from ${String(source)} that was not finished: finish that one, or name a store that holds nothing`,
    )
  const places = Object.entries(stored.places).map(([name, place]): [string, string] => [name, String(place)])
  return { from: from.where, places: Object.fromEntries(places) }
}

async function copyTable({ from, to, onStep }: CopyParts, table: ArchiveTable, progress: Progress): Promise<void> {
  const total = await from.count(table)
  let rows = progress.places[table.name] === undefined ? 0 : await to.count(table)
  for (let place = progress.places[table.name] ?? null; place !== ALL; ) {
    const page = await from.page(table, place)
    place = page.next ?? ALL
    progress.places = { ...progress.places, [table.name]: place }
    const copied = page.rows.filter((row) => isCopied(table, row))
    await to.add(table, copied, JSON.stringify(progress))
    rows += copied.length
    onStep({ what: 'copied', table: table.name, rows, total })
    await nextTurn()
  }
}

/** Where the source has changed since a copy that was not finished, what is in the way is copied anew. */
async function compareTable(
  parts: CopyParts,
  table: ArchiveTable,
  progress: Progress,
  mayDiffer: boolean,
): Promise<{ copied: CopiedTable; damaged: number }> {
  const source = await summary(parts, 'from', table)
  const target = await summary(parts, 'to', table)
  if (source.rows === target.rows && source.digest === target.digest) {
    const { rows, digest, damaged } = source
    return { copied: { name: table.name, rows, digest }, damaged }
  }
  if (!mayDiffer)
    throw new StoreRefused(
      `${table.name} is not the same in both: ${source.rows} rows (${source.digest}) in ${parts.from.where}, ${target.rows} (${target.digest}) in ${parts.to.where}. Nothing was lost in the first; remove the second and copy again`,
    )
  const { [table.name]: _, ...places } = progress.places
  progress.places = places
  await parts.to.clear(table, JSON.stringify(progress))
  await copyTable(parts, table, progress)
  return compareTable(parts, table, progress, false)
}

interface Summary {
  readonly rows: number
  readonly digest: string
  readonly damaged: number
}

/** Reads all of a table. The digest is a sum over the rows: each engine has an order of its own. */
async function summary({ onStep, ...archives }: CopyParts, side: 'from' | 'to', table: ArchiveTable): Promise<Summary> {
  const archive = archives[side]
  const total = await archive.count(table)
  let [rows, damaged, sum] = [0, 0, 0n]
  for (let place: string | null = null; ; ) {
    const page = await archive.page(table, place)
    const copied = page.rows.filter((row) => isCopied(table, row))
    for (const row of copied) sum += rowNumber(table, row)
    rows += copied.length
    damaged += page.damaged
    onStep({ what: 'compared', table: table.name, rows, total })
    await nextTurn()
    place = page.next
    if (place === null) break
  }
  const digest = (sum % 2n ** 256n).toString(16).padStart(64, '0')
  return { rows, digest, damaged }
}

/** Marks of the store itself stay with it. */
function isCopied({ name }: ArchiveTable, row: ArchiveRow): boolean {
  return name !== 'marks' || (row.name !== LAST_ID && row.name !== COPY_PROGRESS)
}

function rowNumber({ columns }: ArchiveTable, row: ArchiveRow): bigint {
  const values = Object.keys(columns).map((column) => shown(row[column]))
  return BigInt(`0x${hash('sha256', JSON.stringify(values))}`)
}

/** Such that no two values look the same. */
function shown(value: ArchiveValue = null): string | null {
  if (value instanceof Uint8Array) return `b${hash('sha256', value)}`
  return value === null ? null : `${typeof value === 'string' ? 't' : 'n'}${String(value)}`
}
