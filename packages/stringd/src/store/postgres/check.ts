import { bad, doubtful, type Finding, good } from '../finding.ts'
import { StoreRefused } from '../refused.ts'
import type { ServerAddress } from './address.ts'
import { isThisMachine, parseAddress } from './address.ts'
import { checkConnections, checkPooling, timeCommits } from './check-connection.ts'
import { checkSchema } from './check-schema.ts'
import { OLDEST_VERSION, refusalOf } from './contact.ts'
import { ServerLink, type ServerRow } from './link.ts'
import { reasonOf } from './reason.ts'

/** Looks at a server, and changes nothing there: no schema is made, none is brought up to date. */
export async function checkPostgres(text: string): Promise<{ where: string; findings: readonly Finding[] }> {
  let address: ServerAddress
  try {
    address = parseAddress(text)
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error
    return { where: 'postgres', findings: [refusedFinding(error.message)] }
  }
  return { where: address.where, findings: await findingsAt(address) }
}

async function findingsAt(address: ServerAddress): Promise<Finding[]> {
  let link: ServerLink
  try {
    link = await ServerLink.open(address)
  } catch (error) {
    return [unreachable(error, address)]
  }
  try {
    return await look(link, address)
  } catch (error) {
    return [bad(`It stopped answering: ${link.shown(error)}`, 'look at the log of the server')]
  } finally {
    await link.end()
  }
}

async function look(link: ServerLink, address: ServerAddress): Promise<Finding[]> {
  const [facts = {}] = (await link.run(FACTS, [], soon())).rows
  const isWritable = facts.replica !== true && facts.read_only !== 'on'
  return [
    wayFinding(address, facts),
    versionFinding(facts),
    encodingFinding(facts),
    isWritable ? good('It can be written') : readOnly(facts),
    ...(isWritable ? await checkPooling(link) : []),
    ...(await checkSchema(link, address)),
    ...settingFindings(facts),
    ...(await checkConnections(link)),
    ...(isWritable ? [await timeCommits(link)] : []),
  ]
}

const FACTS = `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS number,
  current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS replica,
  current_setting('transaction_read_only') AS read_only, current_setting('fsync') AS fsync,
  current_setting('full_page_writes') AS full_page_writes, current_setting('data_checksums') AS data_checksums,
  (SELECT reset_val FROM pg_settings WHERE name = 'synchronous_commit') AS synchronous_commit,
  (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS encrypted`

function soon(): number {
  return performance.now() + 10_000
}

function unreachable(error: unknown, address: ServerAddress): Finding {
  const refusal = refusalOf(error, address)
  if (refusal !== null) return refusedFinding(refusal.message.replace(`${address.where}: `, ''))
  const reason = reasonOf(error, [address.password])
  const next = /startup parameter/.test(reason)
    ? 'name the server itself: a proxy in between does not hand on what String asks for'
    : 'start the server, or mend the address'
  return bad(`It cannot be reached: ${reason}`, next)
}

/** A refusal says what is wrong, and behind a colon what to do. */
function refusedFinding(message: string): Finding {
  const [, text = message, next = 'mend the address'] = /^(.*): ([^:].*)$/s.exec(message) ?? []
  return bad(text, next)
}

function wayFinding({ host, ssl }: ServerAddress, { encrypted }: ServerRow): Finding {
  if (encrypted !== true) return good('The connection is not encrypted, and does not leave this machine')
  if (ssl !== false && ssl.rejectUnauthorized === true)
    return good('The connection is encrypted, and the server is who it says')
  const next = 'leave sslmode out, and name the certificate of its CA with sslrootcert=FILE'
  return isThisMachine(host)
    ? good('The connection is encrypted')
    : bad('Nobody knows whether the server is who it says', next)
}

function versionFinding({ version, number }: ServerRow): Finding {
  const text = `PostgreSQL ${String(version)}`
  const oldest = OLDEST_VERSION / 10_000
  return Number(number) >= OLDEST_VERSION
    ? good(text)
    : bad(`${text} is too old`, `String needs ${oldest} or newer: pg_upgrade`)
}

function encodingFinding({ encoding }: ServerRow): Finding {
  return encoding === 'UTF8'
    ? good('The encoding is UTF8')
    : bad(
        `The encoding is ${String(encoding)}, which cannot hold every text`,
        "make a database with ENCODING 'UTF8' TEMPLATE template0",
      )
}

function readOnly({ replica }: ServerRow): Finding {
  return replica === true
    ? bad('It is a replica, which can only be read', 'name the primary server')
    : bad(
        'Transactions can only read there',
        'turn default_transaction_read_only off for the role, the database or the server',
      )
}

/** What String needs so that what was answered is kept. */
function settingFindings(facts: ServerRow): Finding[] {
  return [
    facts.fsync === 'on'
      ? good('fsync is on')
      : doubtful('fsync is off: what was stored is lost when the machine crashes', 'fsync = on in postgresql.conf'),
    facts.full_page_writes === 'on'
      ? good('full_page_writes is on')
      : doubtful(
          'full_page_writes is off: a crash can tear pages',
          'full_page_writes = on, unless the disk writes whole pages',
        ),
    facts.synchronous_commit === 'off'
      ? doubtful(
          'synchronous_commit is off; String turns it on for itself, other programs there do not',
          'synchronous_commit = on',
        )
      : good(`synchronous_commit is ${String(facts.synchronous_commit)}`),
    facts.data_checksums === 'on'
      ? good('Data checksums are on')
      : doubtful(
          'Data checksums are off: damage on its disk is not noticed',
          'pg_checksums --enable, while the server is stopped',
        ),
  ]
}
