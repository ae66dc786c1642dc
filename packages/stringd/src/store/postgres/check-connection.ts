import { LIMITS } from '@string-os/protocol'
import { bad, doubtful, type Finding, good } from '../finding.ts'
import { LinkBroken, type ServerLink } from './link.ts'

const CHANNEL = 'string_check'
const NOTICE_MS = 2_000
/** A stored event waits for one commit. */
const SLOW_MS = 20
const COMMITS = 5

const SESSION = { name: 'check_session', text: 'SELECT pg_backend_pid() AS pid' } as const

/** Whether what is said in a session holds in it: a proxy may give each transaction another connection. */
export async function checkPooling(link: ServerLink): Promise<Finding[]> {
  const pids = new Set<unknown>()
  let isHeard = false
  try {
    const heard = new Promise<void>((resolve) => {
      link.onNotification((payload) => {
        if (payload === CHANNEL) resolve()
      })
    })
    await link.run(`LISTEN ${CHANNEL}`, [], soon())
    for (let turn = 0; turn < 3; turn += 1) pids.add((await link.run(SESSION, [], soon())).rows[0]?.pid)
    await link.run('SELECT pg_notify($1, $1)', [CHANNEL], soon())
    isHeard = await Promise.race([heard.then(() => true), later(NOTICE_MS)])
    await link.run(`UNLISTEN ${CHANNEL}`, [], soon())
  } catch (error) {
    if (error instanceof LinkBroken) throw error
    return [pooled(link.shown(error))]
  }
  if (pids.size > 1) return [pooled('each transaction has another connection')]
  if (!isHeard) return [pooled('LISTEN hears nothing')]
  return [good('LISTEN and prepared statements work')]
}

function pooled(reason: string): Finding {
  const next = 'name the server itself, or a pool that gives whole sessions (pool_mode = session)'
  return bad(`LISTEN or prepared statements do not work (${reason})`, next)
}

const COUNTS = `SELECT current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
    - coalesce(current_setting('reserved_connections', true), '0')::integer AS most,
  (SELECT count(*)::integer FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()) AS used,
  (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS of_role,
  (SELECT datconnlimit FROM pg_database WHERE datname = current_database()) AS of_database`

/** A daemon has some connections, and one for the news. */
export async function checkConnections(link: ServerLink): Promise<Finding[]> {
  const [row = {}] = (await link.run(COUNTS, [], soon())).rows
  const needed = LIMITS.storeConnections + 1
  const free = Number(row.most) - Number(row.used)
  const limits = [
    { limit: Number(row.of_role), whose: 'role', how: 'ALTER ROLE … CONNECTION LIMIT -1' },
    { limit: Number(row.of_database), whose: 'database', how: 'ALTER DATABASE … CONNECTION LIMIT -1' },
  ].filter(({ limit }) => limit >= 0 && limit < needed)
  return [
    free >= needed
      ? good(`${free} of ${String(row.most)} connections are free; a daemon takes up to ${needed}`)
      : doubtful(
          `Only ${free} of ${String(row.most)} connections are free, and a daemon takes up to ${needed}`,
          'raise max_connections in postgresql.conf, or end what else connects',
        ),
    ...limits.map(({ limit, whose, how }) =>
      doubtful(`The ${whose} may have ${limit} connections, and a daemon takes up to ${needed}`, how),
    ),
  ]
}

/** How long a commit takes that waits for the disk. It leaves nothing behind but a line in the server's log of changes. */
export async function timeCommits(link: ServerLink): Promise<Finding> {
  const times: number[] = []
  try {
    for (let turn = 0; turn < COMMITS; turn += 1) {
      const started = performance.now()
      await link.run("SELECT pg_logical_emit_message(true, 'string', '')", [], soon())
      times.push(performance.now() - started)
    }
  } catch (error) {
    if (error instanceof LinkBroken) throw error
    return doubtful(`How long a commit takes could not be measured (${link.shown(error)})`, 'nothing has to be changed')
  }
  const median = times.toSorted((one, other) => one - other)[Math.floor(COMMITS / 2)] ?? 0
  const text = `A commit takes ${median.toFixed(1)} ms`
  return median <= SLOW_MS
    ? good(text)
    : doubtful(
        `${text}: every event and turn waits for it`,
        'use a server that is nearer, or a faster disk for its WAL',
      )
}

function soon(): number {
  return performance.now() + LIMITS.storeAnswerMs
}

function later(ms: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), ms).unref()
  })
}
