import { join } from 'node:path'
import { visibleLine } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { isDaemonAlive, readDaemonRecord } from '../../daemon-record.ts'
import type { Finding } from '../../store/finding.ts'
import { DATABASE } from '../../store/open-store.ts'
import { checkSqlite } from '../../store/sqlite/check.ts'
import type { StoreName } from '../../store/store-name.ts'
import { EXIT } from '../exit.ts'
import { red } from '../terminal/color.ts'
import { lookOf } from '../terminal/look.ts'
import { startSpinner } from '../terminal/spinner.ts'
import { namedStore } from './named-store.ts'

const SIGNS: Readonly<Record<Finding['state'], string>> = { good: '✓', doubtful: '!', bad: '✗', unseen: '-' }

/** `string store check [NAME]` */
export async function checkStore(
  name: string | undefined,
  { config, json }: { config: Config; json: boolean },
): Promise<number> {
  const spinner = startSpinner('looking')
  const { where, findings } = await look(namedStore(name ?? 'env', config, 'NAME')).finally(() => spinner.stop())
  const isUsable = findings.every(({ state }) => state !== 'bad')
  if (json) console.log(JSON.stringify({ ok: isUsable, store: where, findings }))
  else {
    const { color } = lookOf(process.stdout, config)
    const isWhole = findings.every(({ state }) => state !== 'unseen')
    const usable = isWhole ? 'It can be used' : 'It can be used, as far as it was checked'
    const last = isUsable ? usable : red('It cannot be used as it is', color)
    console.log([visibleLine(where), ...findings.map((finding) => storeFinding(finding, color)), last].join('\n'))
  }
  return isUsable ? EXIT.ok : EXIT.commandError
}

async function look(name: StoreName): Promise<{ where: string; findings: readonly Finding[] }> {
  if (name.kind === 'sqlite') {
    const path = join(name.folder, DATABASE)
    const record = readDaemonRecord(name.folder)
    const servedBy = record !== null && isDaemonAlive(record) ? record.pid : null
    return { where: path, findings: await checkSqlite({ path, servedBy }) }
  }
  const { checkPostgres } = await import('../../store/postgres/index.ts')
  return checkPostgres(name.url)
}

/** One finding, with what to do about it below. */
export function storeFinding({ state, text, next }: Finding, color: boolean): string {
  const line = `${SIGNS[state]} ${visibleLine(text)}`
  const marked = state === 'bad' ? red(line, color) : line
  return next === null ? marked : `${marked}\n  ${visibleLine(next)}`
}
