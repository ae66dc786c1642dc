// Measures a fleet of 1, 2 and 3 nodes on one PostgreSQL, all on this machine. `node bench/scale.mjs` prints the tables of docs/scale.md; with
// `--write` it puts them there, and the costs into fleet-costs.json, from which simulate-fleet.mjs goes on. It takes about three minutes
// of a quiet machine.
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createContext } from './lib/context.mjs'
import { startPostgres } from './lib/postgres.mjs'
import { simulation } from './simulate-fleet.mjs'

const ROUNDS = 3
const EVENTS = 4_000
const POSTERS = 32
const TURNS = 160
const CHATS = 40
const NODES = 1_000
const TEXT = 'The nightly build has failed: see the log of step 3. '.repeat(4)
const AGENT = new URL('agents/trivial.sh', import.meta.url)
const PAGE = join(import.meta.dirname, '../docs/scale.md')
const COSTS = join(import.meta.dirname, 'fleet-costs.json')

const context = createContext({ streamSecs: 0 })
const server = await startPostgres(context)
if (server === null) throw new Error('There is no PostgreSQL')
const costs = await databaseCosts()
const parts = {
  machine: `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, PostgreSQL ${await versionOf()} with \`fsync\`, ${today()}.`,
  nodes: await nodesTable(),
  costs: costsTable(costs),
  time: await timeTable(costs),
  simulation: simulation(costs),
}
context.close()
for (const [name, text] of Object.entries(parts)) console.log(`${name}\n\n${text}\n`)
if (process.argv.includes('--write')) {
  writeFileSync(COSTS, `${JSON.stringify(costs, null, 2)}\n`)
  writeFileSync(PAGE, Object.entries(parts).reduce(placed, readFileSync(PAGE, 'utf8')))
}

/** Between the marks of its name stands what was measured. */
function placed(page, [name, text]) {
  const marks = new RegExp(`(<!-- ${name}: bench/scale.mjs -->\\n).*?(<!-- end -->)`, 's')
  if (!marks.test(page)) throw new Error(`docs/scale.md has no place for ${name}`)
  return page.replace(marks, (_, begin, end) => `${begin}\n${text}\n\n${end}`)
}

function today() {
  return new Date().toISOString().slice(0, 10)
}

async function versionOf() {
  const [{ server_version: version }] = await server.sql('postgres', 'SHOW server_version')
  return version
}

/** Rounds of all sizes one after the other, so that a slow moment of the machine is in all of them; the middle of each. */
async function nodesTable() {
  const rounds = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const row = []
    for (const amount of [1, 2, 3]) row.push(await measure(amount, round))
    rounds.push(row)
  }
  const rows = [0, 1, 2].map((at) => {
    const of = (name) => middle(rounds.map((row) => row[at][name]))
    const ms = (name) => (at === 0 && name !== 'here' ? '-' : `${Math.round(of(name))} ms`)
    return [at + 1, Math.round(of('events')), Math.round(of('turns')), ms('here'), ms('elsewhere'), ms('slowest')]
  })
  return table(['nodes', 'events/s', 'turns/s', 'chat here p50', 'chat elsewhere p50', 'chat elsewhere p95'], rows)
}

async function measure(amount, round) {
  const store = await server.database(`scale_${amount}_${round}`)
  const nodes = []
  for (let index = 0; index < amount; index += 1) nodes.push(await startNode(store, index))
  const events = await eventsPerSecond(nodes)
  const turns = await turnsPerSecond(nodes)
  const here = await chat(nodes[0], 'agent-0')
  const elsewhere = amount === 1 ? [0] : await chat(nodes[0], 'agent-1')
  for (const { stop } of nodes) stop()
  const slowest = elsewhere[Math.floor(elsewhere.length * 0.95)]
  return { events, turns, here: middle(here), elsewhere: middle(elsewhere), slowest }
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

/** What the server has used for one of each: ms of one core, commits, and bytes of its log. */
async function databaseCosts() {
  const store = await server.database('scale_costs')
  const nodes = [await startNode(store, 0), await startNode(store, 1)]
  const each = async (amount, work) => {
    // What is under way still belongs to what was before.
    await sleep(500)
    const before = await used()
    await work()
    await sleep(500)
    const after = await used()
    return Object.fromEntries(Object.keys(after).map((name) => [name, (after[name] - before[name]) / amount]))
  }
  const idle = await each(2 * 20, () => sleep(20_000))
  const event = await each(EVENTS, () => eventsPerSecond(nodes.slice(0, 1)))
  const turn = await each(CHATS, () => chat(nodes[0], 'agent-0'))
  const elsewhere = await each(CHATS, () => chat(nodes[0], 'agent-1'))
  await server.sql(
    'scale_costs',
    `INSERT INTO string.nodes (id, boot, place, name, version, state, seen_at)
      SELECT 'n' || n, '', '', 'n' || n, '', 'up', now() FROM generate_series(1, ${NODES}) AS n`,
  )
  const looker = nodes[0].connect()
  const list = await each(20, async () => {
    for (let at = 0; at < 20; at += 1) await looker.send('/fleet/resume', '')
  })
  for (const { stop } of nodes) stop()
  return { event, turn, elsewhere, idle, nodeRow: { cores: list.cores / NODES } }
}

async function used() {
  const [row] = await server.sql(
    'postgres',
    // Only what writes has a number, and waits for the disk.
    "SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS commits, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS wal",
  )
  return { cores: serverMs() / 1000, commits: Number(row.commits), wal: Number(row.wal) }
}

function costsTable({ event, turn, elsewhere, idle, nodeRow }) {
  const row = (name, { cores, commits, wal }) => [name, (cores * 1000).toFixed(2), commits.toFixed(1), Math.round(wal)]
  const rows = [
    row('an event (32 at once)', event),
    row('a turn', turn),
    row('a turn asked for elsewhere', elsewhere),
    row('a second of an idle node', idle),
    ['a row of the list of nodes, of 1,000', (nodeRow.cores * 1000).toFixed(3), '-', '-'],
  ]
  return table(['the database, for', 'ms of one core', 'commits', 'bytes of WAL'], rows)
}

/** Of what a chat waits for: a process, commits, and the rest. */
async function timeTable({ turn, elsewhere }) {
  const program = middle(times(100, () => spawnSync('/bin/sh', [AGENT.pathname])))
  const commit = await commitMs()
  const rows = [
    ['the start and end of a process', `${program.toFixed(1)} ms`],
    ['a commit of one row, by one connection', `${commit.toFixed(1)} ms`],
    ['commits of a turn', `${turn.commits.toFixed(1)}; asked for elsewhere ${elsewhere.commits.toFixed(1)}`],
  ]
  return table(['part', 'takes'], rows)
}

async function commitMs() {
  const rows = await server.sql(
    'postgres',
    'CREATE TABLE commits (at timestamptz)',
    `DO $$ BEGIN FOR n IN 1..200 LOOP INSERT INTO commits VALUES (clock_timestamp()); COMMIT; END LOOP; END $$`,
    'SELECT extract(epoch FROM at - lag(at) OVER (ORDER BY at)) * 1000 AS ms FROM commits ORDER BY at OFFSET 1',
  )
  return middle(rows.map(({ ms }) => Number(ms)))
}

function times(amount, work) {
  return Array.from({ length: amount }, () => {
    const started = performance.now()
    work()
    return performance.now() - started
  })
}

function middle(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]
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
