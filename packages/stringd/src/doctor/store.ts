import { join } from 'node:path'
import type { Finding } from '../store/finding.ts'
import { DATABASE } from '../store/open-store.ts'
import { checkSqlite } from '../store/sqlite/check.ts'
import type { StoreName } from '../store/store-name.ts'
import { type Check, type Seen, seenFail, seenOk, seenWarn } from './check.ts'

/** What `string store check` looks at. The rows of a file are looked at while no daemon has it. */
export function storeCheck(name: StoreName, servedBy: number | null): Check {
  return { name: 'store', look: async () => summed(name, await findingsOf(name, servedBy)) }
}

async function findingsOf(name: StoreName, servedBy: number | null): Promise<readonly Finding[]> {
  if (name.kind === 'sqlite') return checkSqlite({ path: join(name.folder, DATABASE), servedBy })
  const { checkPostgres } = await import('../store/postgres/index.ts')
  return (await checkPostgres(name.url)).findings
}

/** Only what is not as it should be is told one by one. */
function summed(name: StoreName, findings: readonly Finding[]): readonly Seen[] {
  // What is wrong with the folder is told of the folder.
  const isOfFolder = ({ text }: Finding): boolean => name.kind === 'sqlite' && text.startsWith(`${name.folder} `)
  const wrong = findings.filter(
    (finding) => (finding.state === 'doubtful' || finding.state === 'bad') && !isOfFolder(finding),
  )
  if (wrong.length > 0) return wrong.map(seenOf)
  const rows = findings.length === 1 ? (findings[0]?.text ?? '') : 'all that was looked at is as it should be'
  return [seenOk(name.kind === 'sqlite' ? `SQLite file: ${rows}` : `PostgreSQL: ${rows}`)]
}

function seenOf({ state, text, next }: Finding): Seen {
  const mend = next ?? 'string store check tells more'
  return state === 'bad' ? seenFail(text, mend) : seenWarn(text, mend)
}
