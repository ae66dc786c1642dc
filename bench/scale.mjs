// Measures a fleet of 1, 2 and 3 nodes on one PostgreSQL, all on this machine: the tables of docs/scale.md. `node bench/scale.mjs`
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createContext } from './lib/context.mjs'
import { startPostgres } from './lib/postgres.mjs'

const EVENTS = 3_000
const POSTERS = 32
const TURNS = 120
const CHATS = 30
const TEXT = 'The nightly build has failed: see the log of step 3. '.repeat(4)

const context = createContext()
const server = await startPostgres(context)
if (server === null) throw new Error('There is no PostgreSQL')
const rows = []
for (const amount of [1, 2, 3]) rows.push(await measure(amount))
const idle = await idleCost()
console.log(table(['nodes', 'events/s', 'turns/s', 'chat here p50', 'chat elsewhere p50', 'chat elsewhere p95'], rows))
const costs = await databaseCosts()
console.log(
  `\nThe database, in ms of one core: ${Object.entries(costs)
    .map(([what, ms]) => `${what} ${ms.toFixed(2)}`)
    .join(', ')}.`,
)
console.log(`\nAn idle node: ${idle.statements} statements and ${idle.kib} KiB of WAL a minute.`)
console.log(`\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model}`)
context.close()

async function measure(amount) {
  const store = await server.database(`scale_${amount}`)
  const nodes = []
  for (let index = 0; index < amount; index += 1) nodes.push(await startNode(store, index))
  const events = await eventsPerSecond(nodes)
  const turns = await turnsPerSecond(nodes)
  const here = await chat(nodes[0], 'agent-0')
  const elsewhere = amount === 1 ? null : await chat(nodes[0], 'agent-1')
  for (const { stop } of nodes) stop()
  const ms = (times, part) => (times === null ? '-' : `${Math.round(times[Math.floor(times.length * part)])} ms`)
  return [amount, Math.round(events), Math.round(turns), ms(here, 0.5), ms(elsewhere, 0.5), ms(elsewhere, 0.95)]
}

async function startNode(store, index) {
  const daemon = await context.startDaemon({ store })
  const home = join(daemon.home, `agent-${index}`)
  mkdirSync(join(home, '.string'), { recursive: true })
  copyFileSync(new URL('agents/trivial.sh', import.meta.url), join(home, '.string/agent.sh'))
  chmodSync(join(home, '.string/agent.sh'), 0o755)
  writeFileSync(join(home, '.string/profile.yaml'), 'command: ./agent.sh\n')
  await daemon.connect().send('/agents', { agent_id: `agent-${index}`, home })
  const { text } = await daemon.connect().send(`/agents/agent-${index}/webhook`, '')
  return { ...daemon, index, hook: new URL(JSON.parse(text).webhook_url).pathname }
}

/** Every poster asks its own node for an agent of any node. */
async function eventsPerSecond(nodes) {
  const started = performance.now()
  await lanes(
    POSTERS,
    EVENTS,
    async (connection, at) => {
      await connection.send(nodes[at % nodes.length].hook, TEXT)
    },
    (lane) => nodes[lane % nodes.length].connect(),
  )
  return (EVENTS * 1000) / (performance.now() - started)
}

/** Sessions of their own, half of them asked for on another node. */
async function turnsPerSecond(nodes) {
  const started = performance.now()
  await lanes(
    8,
    TURNS,
    async (connection, at) => {
      await connection.send(`/agents/agent-${at % nodes.length}/turns`, { message: 'x', session: `s${at}` })
    },
    (lane) => nodes[lane % nodes.length].connect(),
  )
  return (TURNS * 1000) / (performance.now() - started)
}

/** From the message to the end of the stream, one after the other. */
async function chat(node, agent) {
  const connection = node.connect()
  const times = []
  for (let index = 0; index < CHATS; index += 1) {
    const started = performance.now()
    await connection.send(`/agents/${agent}/turns`, { message: 'x' })
    times.push(performance.now() - started)
  }
  return times.sort((one, other) => one - other)
}

/** What the processes of the server have used for one of each. */
async function databaseCosts() {
  const store = await server.database('scale_costs')
  const nodes = [await startNode(store, 0), await startNode(store, 1)]
  const each = async (amount, work) => {
    const before = serverMs()
    await work()
    return (serverMs() - before) / amount
  }
  const costs = {
    'an event': await each(EVENTS, () => eventsPerSecond(nodes.slice(0, 1))),
    'a turn': await each(CHATS, () => chat(nodes[0], 'agent-0')),
    'a turn asked for elsewhere': await each(CHATS, () => chat(nodes[0], 'agent-1')),
    'a second of an idle node': await each(2 * 20, () => sleep(20_000)),
  }
  for (const { stop } of nodes) stop()
  return costs
}

/** Of the server and all that it started, in ms of processor time. */
function serverMs() {
  const [pid] = readFileSync(join(context.folder, 'postgres/data/postmaster.pid'), 'utf8').split('\n')
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
  const own = stats.filter((stat) => stat !== null && (stat.pid === pid || stat.parent === pid))
  return own.reduce((sum, { ticks, ofGone, pid: id }) => sum + ticks + (id === pid ? ofGone : 0), 0) * 10
}

function statOf(pid) {
  try {
    const [, parent, ...rest] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const [user, system, goneUser, goneSystem] = rest.slice(9, 13).map(Number)
    return { pid, parent, ticks: user + system, ofGone: goneUser + goneSystem }
  } catch {
    return null
  }
}

async function idleCost() {
  const store = await server.database('scale_idle')
  const node = await startNode(store, 0)
  await sleep(6_000)
  const look = async () => {
    const [row] = await server.sql(
      'scale_idle',
      "SELECT xact_commit AS done, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS wal FROM pg_stat_database WHERE datname = 'scale_idle'",
    )
    return { done: Number(row.done), wal: Number(row.wal) }
  }
  const before = await look()
  await sleep(20_000)
  const after = await look()
  node.stop()
  return { statements: (after.done - before.done) * 3, kib: Math.round(((after.wal - before.wal) * 3) / 1024) }
}

async function lanes(amount, total, work, open) {
  await Promise.all(
    Array.from({ length: amount }, async (_, lane) => {
      const connection = open(lane)
      for (let at = lane; at < total; at += amount) await work(connection, at)
    }),
  )
}

function table(head, lines) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n')
}
