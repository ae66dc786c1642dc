import { LIMITS } from '@string-os/protocol'
import { bad, doubtful, type Finding, good } from '../finding.ts'
import { COPY_PROGRESS, UNFINISHED_COPY } from '../own-marks.ts'
import type { ServerAddress } from './address.ts'
import { USE_LOCK } from './contact.ts'
import type { ServerLink, ServerRow } from './link.ts'
import { isKnown, NOT_OURS, SCHEMA_VERSION } from './schema.ts'

const RIGHTS = `SELECT has_database_privilege(current_database(), 'CREATE') AS may_make,
  (SELECT has_schema_privilege(oid, 'USAGE') FROM pg_namespace WHERE nspname = 'string') AS may_use,
  (SELECT has_schema_privilege(oid, 'CREATE') FROM pg_namespace WHERE nspname = 'string') AS may_add,
  EXISTS (SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = 'string' AND relname = 'version') AS is_made,
  (SELECT coalesce(bool_and(pg_has_role(relowner, 'USAGE')), true) FROM pg_class
    JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = 'string' AND relkind = 'r') AS is_owner,
  (SELECT pg_size_pretty(coalesce(sum(pg_total_relation_size(pg_class.oid)), 0)) FROM pg_class
    JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = 'string' AND relkind = 'r') AS size`

/** Those who use the store now hold the lock together; a copy holds it alone. */
const USERS = `SELECT mode, count(*)::integer AS many FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND ((classid::bigint << 32) | objid::bigint) = $1::bigint GROUP BY mode`

/** What is there, whose it is, and who uses it. */
export async function checkSchema(link: ServerLink, { user, database }: ServerAddress): Promise<Finding[]> {
  const [rights = {}] = (await link.run(RIGHTS, [], soon())).rows
  const grant = (what: string): string => `GRANT ${what} TO ${user}`
  if (rights.may_use === null)
    return [
      rights.may_make === true
        ? good('There is no schema string yet: the first daemon makes it')
        : bad(`There is no schema string, and ${user} may not make one`, grant(`CREATE ON DATABASE ${database}`)),
    ]
  if (rights.may_use !== true)
    return [bad(`${user} may not use the schema string`, grant('USAGE, CREATE ON SCHEMA string'))]
  if (rights.is_made !== true)
    return [
      rights.may_add === true
        ? good('The schema string is empty: the first daemon makes its tables')
        : bad(`The schema string is empty, and ${user} may not make tables there`, grant('CREATE ON SCHEMA string')),
    ]
  return checkTables(link, rights, user)
}

async function checkTables(link: ServerLink, rights: ServerRow, user: string): Promise<Finding[]> {
  const grant = `GRANT ALL ON ALL TABLES IN SCHEMA string TO ${user}, or let it own them`
  const { rows: readable } = await link.run(
    "SELECT has_table_privilege('string.version', 'SELECT') AS may_read",
    [],
    soon(),
  )
  if (readable[0]?.may_read !== true) return [bad(`${user} may not read string.version`, grant)]
  const { rows } = await link.run('SELECT * FROM string.version', [], soon())
  const version = Number(rows[0]?.version ?? 0)
  const [foreign] = (await link.run(NOT_OURS, [], soon())).rows
  return [
    versionFinding(rows[0] ?? {}, rights, user),
    foreign === undefined
      ? good('Its tables may be read and written')
      : bad(`${user} may not use the table string.${String(foreign.name)}`, grant),
    ...(foreign === undefined && version > 0 ? await checkCopy(link) : []),
    ...(await checkUsers(link)),
  ]
}

function versionFinding(row: ServerRow, { may_add, is_owner, size }: ServerRow, user: string): Finding {
  const version = Number(row.version ?? 0)
  const known = `this String knows ${SCHEMA_VERSION}`
  if (version > SCHEMA_VERSION && isKnown(row))
    return good(`The schema string is of a newer String (version ${version}; ${known}), which this one can use`)
  if (version > SCHEMA_VERSION)
    return bad(`The schema string is of a newer String (version ${version}; ${known})`, 'update String here')
  if (version === SCHEMA_VERSION) return good(`The schema string has the present version ${version}, ${String(size)}`)
  const text = `The schema string is of an older String (version ${version}; ${known})`
  return may_add === true && is_owner === true
    ? good(`${text}: the next daemon brings it up to date`)
    : bad(`${text}, and ${user} may not bring it up to date`, `let ${user} own the schema string and its tables`)
}

async function checkCopy(link: ServerLink): Promise<Finding[]> {
  const { count } = await link.run('SELECT 1 FROM string.marks WHERE name = $1', [COPY_PROGRESS], soon())
  if (count === 0) return []
  const [text = '', next = ''] = UNFINISHED_COPY.split(': ')
  return [bad(text, next)]
}

async function checkUsers(link: ServerLink): Promise<Finding[]> {
  const { rows } = await link.run(USERS, [USE_LOCK], soon())
  return rows.map(({ mode, many }) =>
    mode === 'ShareLock'
      ? good(`${Number(many) === 1 ? 'One daemon uses' : `${String(many)} daemons use`} it now`)
      : doubtful('string store copy runs: daemons wait until it has ended', 'nothing has to be changed'),
  )
}

function soon(): number {
  return performance.now() + LIMITS.storeAnswerMs
}
