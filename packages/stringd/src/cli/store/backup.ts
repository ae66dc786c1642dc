import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { quoted, systemReason, visibleLine } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { DATABASE } from '../../store/open-store.ts'
import { type Backup, backupSqlite } from '../../store/sqlite/backup.ts'
import { CliError, EXIT } from '../exit.ts'
import { lookOf } from '../terminal/look.ts'
import { startSpinner } from '../terminal/spinner.ts'
import { storeFinding } from './check.ts'

const NOT_IN_IT = 'Not in it: agents.json, packages, what you configured and the homes of agents, which are files'

/** `string store backup FILE` */
export async function backupStore(name: string, { config, json }: { config: Config; json: boolean }): Promise<number> {
  if (config.store.kind !== 'sqlite') throw refused(ofPostgres(name))
  const store = join(config.store.folder, DATABASE)
  if (!existsSync(store)) throw refused(`There is no store yet: ${store} is missing, and the first daemon makes it`)
  const file = freeFile(name)
  const spinner = startSpinner('copying')
  const { bytes, findings } = await backup(store, file).finally(() => spinner.stop())
  const { color } = lookOf(process.stdout, config)
  const lines = findings.map((finding) => storeFinding(finding, color))
  if (findings.some(({ state }) => state === 'bad'))
    throw refused(`The copy of ${store} is not sound, and was not kept:\n${lines.join('\n')}`)
  if (json) console.log(JSON.stringify({ ok: true, store, file, bytes, findings }))
  else console.log([`Backed up ${visibleLine(store)} to ${visibleLine(file)}`, ...lines, NOT_IN_IT].join('\n'))
  return EXIT.ok
}

async function backup(store: string, file: string): Promise<Backup> {
  try {
    return await backupSqlite(store, file)
  } catch (error) {
    throw refused(
      `Nothing was backed up to ${quoted(file)}: ${whyNot(error)}; name a file in a folder that you may write to`,
    )
  }
}

/** Of what the system says, the reason: its own text names a file that only this program knows. */
function whyNot(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^E[A-Z0-9]+$/.test(code)) return systemReason(code)
  return visibleLine(error instanceof Error ? error.message : String(error))
}

function freeFile(name: string): string {
  const file = resolve(name)
  const folder = dirname(file)
  const there = statSync(file, { throwIfNoEntry: false })
  if (there?.isDirectory() === true)
    throw refused(`${quoted(file)} is a folder; name a file in it, such as ${join(file, DATABASE)}`)
  if (there !== undefined) throw refused(`${quoted(file)} is there already, and is not replaced; name another file`)
  if (!existsSync(folder)) throw refused(`There is no folder ${quoted(folder)}; mkdir -p makes it`)
  return file
}

/** Its own program does it better, and knows the server. */
function ofPostgres(name: string): string {
  const dump = `pg_dump --schema=string --format=custom --file=${name} "$STRING_STORE"`
  return `The store is a PostgreSQL, whose own program makes the copy, also while daemons run: ${dump}`
}

function refused(text: string): CliError {
  return new CliError(EXIT.commandError, text)
}
