import { LIMITS } from '@string-os/protocol'
import { COPY_PROGRESS, UNFINISHED_COPY } from '../own-marks.ts'
import { StoreRefused } from '../refused.ts'
import type { ServerAddress } from './address.ts'
import { ServerLink } from './link.ts'
import { codeOf, reasonOf } from './reason.ts'
import { migrateSchema } from './schema.ts'

/** Held by everyone who uses the store; alone by whoever must have it to itself. */
export const USE_LOCK = '126879297335911'
export const OLDEST_VERSION = 130_000

/** Somebody has the store to itself for a while. */
export class StoreTaken extends Error {}

/**
 * The connection by which a store is in use: the server is one that can be used, the schema is up to date, and as long as
 * it lives nobody has the store to itself, or nobody else uses it.
 */
export async function contact(address: ServerAddress, use: 'shared' | 'alone'): Promise<ServerLink> {
  const until = performance.now() + LIMITS.storeAnswerMs
  const link = await ServerLink.open(address, until).catch((error: unknown) => {
    throw refusalOf(error, address) ?? error
  })
  try {
    checkServer(link)
    const lock = use === 'alone' ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared'
    const { rows } = await link.run(`SELECT ${lock}($1) AS ours`, [USE_LOCK], until)
    if (rows[0]?.ours !== true) throw new StoreTaken(use === 'alone' ? 'a daemon uses it' : 'string store copy runs')
    await migrateSchema(link, until)
    if (use === 'shared') await checkWhole(link, until)
    return link
  } catch (error) {
    await link.end()
    throw refusalOf(error, address) ?? error
  }
}

async function checkWhole(link: ServerLink, until: number): Promise<void> {
  const { count } = await link.run('SELECT 1 FROM string.marks WHERE name = $1', [COPY_PROGRESS], until)
  if (count > 0) throw new StoreRefused(UNFINISHED_COPY)
}

function checkServer({ facts }: ServerLink): void {
  const version = Number(facts.version)
  if (version < OLDEST_VERSION) {
    throw new StoreRefused(
      `PostgreSQL ${Math.floor(version / 10_000)} is too old: String needs ${OLDEST_VERSION / 10_000} or newer`,
    )
  }
  if (facts.encoding !== 'UTF8') {
    throw new StoreRefused(
      `The database has the encoding ${String(facts.encoding)}, which cannot hold every text: make one with ENCODING 'UTF8'`,
    )
  }
}

/** What no waiting mends, in words for a person; null when it may pass by itself. */
export function refusalOf(error: unknown, { user, database, where, password }: ServerAddress): StoreRefused | null {
  if (error instanceof StoreRefused) return new StoreRefused(`${where}: ${error.message}`)
  const said = reasonOf(error, [password])
  const refused = (text: string): StoreRefused => new StoreRefused(`${where}: ${text}`)
  const code = codeOf(error)
  if (code === '28P01' || isWithoutPassword(error)) {
    return refused(`the password of ${user} is not right: mend it in STRING_STORE, PGPASSWORD or ~/.pgpass`)
  }
  if (code === '28000') return refused(`${user} is not let in (${said}): allow it in pg_hba.conf of the server`)
  if (code === '3D000') return refused(`there is no database ${database}: createdb ${database}`)
  if (code === '42501') {
    return refused(`${user} lacks rights (${said}): GRANT CREATE ON DATABASE ${database} TO ${user}`)
  }
  if (isWithoutTls(error)) {
    return refused('the server offers no encrypted connection: turn on ssl there, as is demanded of another machine')
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/.test(code)) {
    return refused(`the certificate of the server is not trusted (${code}): name that of its CA with sslrootcert=FILE`)
  }
  return null
}

/** The library has no codes for these. */
function isWithoutPassword(error: unknown): boolean {
  return error instanceof Error && /client password must be/.test(error.message)
}

function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && /does not support SSL/.test(error.message)
}
