import { count, visibleLine } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { StartError } from '../../start-error.ts'
import { type CopyReport, type CopyStep, copyStore } from '../../store/copy-store.ts'
import { StoreRefused } from '../../store/refused.ts'
import type { StoreName } from '../../store/store-name.ts'
import { CliError, EXIT, usageError } from '../exit.ts'
import { startSpinner } from '../terminal/spinner.ts'
import { namedStore } from './named-store.ts'
import { withArchive } from './with-archive.ts'

/** `string store copy FROM TO` */
export async function copyVerb(
  from: string,
  to: string,
  { config, json }: { config: Config; json: boolean },
): Promise<number> {
  const names = { from: namedStore(from, config, 'FROM'), to: namedStore(to, config, 'TO') }
  if (JSON.stringify(names.from) === JSON.stringify(names.to)) throw usageError('FROM and TO are the same store')
  const report = await copied(names)
  console.log(json ? JSON.stringify(jsonOf(report)) : textOf(report))
  return EXIT.ok
}

async function copied(names: { from: StoreName; to: StoreName }): Promise<CopyReport> {
  const state: { step: CopyStep | null } = { step: null }
  const spinner = startSpinner(() => (state.step === null ? 'opening' : stepText(state.step)))
  const onNote = (text: string): void => void process.stderr.write(`note: ${visibleLine(text)}\n`)
  const onStep = (step: CopyStep): void => {
    state.step = step
  }
  try {
    return await withArchive({ name: names.from, side: 'from', onNote }, (from) =>
      withArchive({ name: names.to, side: 'to', onNote }, (to) => copyStore({ from, to, onStep })),
    )
  } catch (error) {
    throw refusal(error, state.step !== null)
  } finally {
    spinner.stop()
  }
}

/** Whatever a server or a disk said is for a person here: nothing was lost, and nothing has to be mended first. */
function refusal(error: unknown, hasBegun: boolean): CliError {
  const said = visibleLine(error instanceof Error ? error.message : String(error))
  const isFinal = error instanceof StoreRefused || error instanceof StartError || !hasBegun
  const text = isFinal ? said : `The copy stopped: ${said}; the same command again goes on from there`
  return new CliError(EXIT.commandError, text)
}

function stepText({ what, table, rows, total }: CopyStep): string {
  return `${what} ${rows.toLocaleString('en')} of ${total.toLocaleString('en')} ${table}`
}

function textOf({ from, to, isResumed, tables, damaged }: CopyReport): string {
  const width = Math.max(...tables.map(({ name }) => name.length))
  const digits = Math.max(...tables.map(({ rows }) => String(rows).length))
  const rows = tables.map(
    (table) => `  ${table.name.padEnd(width)}  ${String(table.rows).padStart(digits)}  ${table.digest.slice(0, 16)}`,
  )
  return [
    `Copied ${visibleLine(from)} to ${visibleLine(to)}${isResumed ? ', going on where an earlier copy stopped' : ''}`,
    ...rows,
    `Both have the same ${count(sum(tables), 'row')}, by number and digest`,
    ...(damaged === 0 ? [] : [`! ${count(damaged, 'damaged row')} of the first could not be copied`]),
  ].join('\n')
}

function jsonOf({ from, to, isResumed, tables, damaged }: CopyReport): Record<string, unknown> {
  return { ok: true, from, to, resumed: isResumed, rows: sum(tables), damaged, tables }
}

function sum(tables: CopyReport['tables']): number {
  return tables.reduce((total, { rows }) => total + rows, 0)
}
