import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StringClient, UnreachableError } from '@string-os/client'
import { LIMITS, nearest, quoted, shownStore, systemReason } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { type DaemonRecord, isDaemonAlive, processStart, readDaemonRecord } from '../../daemon-record.ts'
import { dayAgo } from '../../doctor/day-ago.ts'
import { limitProblems } from '../../doctor/limits.ts'
import { storedAgents } from '../../doctor/registry.ts'
import { damagedSince } from '../../doctor/set-aside.ts'
import { VERSION } from '../../version.ts'
import { agentData } from '../agent/agent-data.ts'
import { knownAgent } from '../agent/known-agent.ts'
import { statusLines } from '../agent/standing.ts'
import type { Invocation } from '../arguments.ts'
import { warn } from '../bridge/turn-output.ts'
import { whatWasLeft } from '../doctor/leftovers.ts'
import { probe, requestText } from '../doctor/probe.ts'
import { CliError, EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { inOwnName } from '../program-name.ts'
import { wholeTime } from '../turns/time.ts'
import { agentConcerns, approvalLines, concernData, overviewOf } from './concerns.ts'
import { addressOf, checkPort, ensureDaemon, livingDaemon, portHolder, runningDaemon } from './find-daemon.ts'
import { whyShut } from './shut-folder.ts'
import { daemonsOf } from './stringd-process.ts'

type DaemonVerb = (config: Config, json: boolean, agent: string | null) => Promise<number>

const VERBS: ReadonlyMap<string, DaemonVerb> = new Map([
  ['start', start],
  ['stop', stop],
  ['status', status],
  ['restart', restart],
  ['logs', logs],
])

/** `string status|start|stop|restart`, and the same behind `--daemon`. */
export async function runDaemonVerb({ daemon, words, format, agent }: Invocation, config: Config): Promise<number> {
  const { words: typed } = parseFlags(words, {})
  const [verb = '', extra] = daemon === null ? typed : [daemon, ...typed]
  const run = VERBS.get(verb)
  if (run === undefined) throw usageError(unknownVerb(verb))
  if (extra !== undefined) throw usageError(await tooMany(verb, extra, config))
  return run(config, format === 'json', agent)
}

/** Whoever names an agent wants something of that one. */
async function tooMany(verb: string, extra: string, config: Config): Promise<string> {
  const said = `Too many arguments: ${quoted(extra)} (string ${verb})`
  const steps = verb === 'restart' ? ['stop', 'start'] : ['start', 'stop', 'status'].includes(verb) ? [verb] : []
  if (steps.length === 0 || !(await isAgent(extra, config))) return said
  return `${said}; of the agent: ${steps.map((step) => `string agent ${step} ${extra}`).join(', then ')}`
}

async function isAgent(name: string, config: Config): Promise<boolean> {
  const record = runningDaemon(config)
  const agents =
    record === null ? storedAgents(config.dataDir) : await new StringClient(addressOf(record)).agents.list()
  return agents.some(({ id }) => id === name)
}

function unknownVerb(verb: string): string {
  const names = [...VERBS.keys()]
  const close = nearest(verb, names)
  const help = close === null ? `It is one of: ${names.join(', ')}` : `Did you mean '${close}'?`
  return `There is no 'string --daemon ${quoted(verb)}'. ${help}`
}

function start(config: Config, json: boolean): Promise<number> {
  return begin(config, json, runningDaemon(config) === null ? 'started' : 'already runs')
}

async function begin(config: Config, json: boolean, done: string): Promise<number> {
  const began = new Date().toISOString()
  const record = await ensureDaemon(config)
  const { pid, port } = record
  const text = `stringd ${done} on 127.0.0.1:${port} (pid ${pid})`
  await tellStore(record)
  tellLimits(config)
  tellDamaged(config, began)
  return print(json ? { running: true, port, pid } : text, EXIT.ok)
}

async function stop(config: Config, json: boolean): Promise<number> {
  const record = livingDaemon(config)
  if (record !== null) await endDaemon(checkPort(config, record), config)
  const lost = await endUnrecorded(config)
  const ended = [...(record === null ? [] : [record.pid]), ...lost]
  const unknown = lost.length === 0 ? '' : `, of which ${config.dataDir} has no record`
  const text =
    ended.length === 0
      ? 'stringd is not running'
      : `stringd stopped (pid ${ended.join(', ')})${unknown}: the daemon, with all that it ran`
  return print(json ? { running: false } : text, EXIT.ok)
}

async function restart(config: Config, json: boolean): Promise<number> {
  const record = livingDaemon(config)
  if (record !== null) await endDaemon(record, config)
  const lost = await endUnrecorded(config)
  const done = record === null && lost.length === 0 ? 'started' : 'restarted'
  // Without a port of our own, the new one takes the place of the old.
  return begin({ ...config, port: config.port ?? record?.port ?? null }, json, done)
}

async function status(config: Config, json: boolean, agent: string | null): Promise<number> {
  const { dataDir } = config
  const record = runningDaemon(config)
  const shut = record === null ? whyShut(dataDir) : null
  if (shut !== null)
    return print(json ? { running: false, data_dir: dataDir, problem: inOwnName(shut) } : shut, EXIT.unreachable)
  if (record === null) {
    const holder = await portHolder(config)
    // One that is about to end was not killed.
    const killed = livingDaemon(config) === null ? whatWasLeft(dataDir) : null
    const next = holder === null ? '; string start starts it' : `. ${holder}`
    const text = `stringd is not running (data folder ${dataDir})${killed === null ? '' : `: ${killed}`}${next}`
    const problem = holder ?? killed
    const data = { running: false, data_dir: dataDir, ...(problem === null ? {} : { problem: inOwnName(problem) }) }
    return print(json ? data : text, EXIT.unreachable)
  }
  const { pid, port, version, startedAt } = checkPort(config, record)
  const client = new StringClient(addressOf(record))
  const { agents, sessions, store } = await client.health()
  const overview = await overviewOf(client)
  const about = agent === null ? null : await knownAgent(client, agent, client.agents.get)
  tellLimits(config)
  tellDamaged(config, dayAgo())
  if (json) {
    const where = { running: true, port, pid, version, started_at: startedAt, data_dir: dataDir }
    const rest = about === null ? {} : { agent: agentData(about) }
    return print({ ...where, agents, ...concernData(overview), sessions, store, ...rest }, EXIT.ok)
  }
  const rows = [
    `stringd runs on 127.0.0.1:${port}`,
    `pid: ${pid}`,
    `version: ${version}${version === VERSION ? '' : ` (this is ${VERSION}; string restart replaces it)`}`,
    `since: ${wholeTime(startedAt)}`,
    `data folder: ${dataDir}`,
    `store: ${shownStore(store)}`,
    `agents: ${agents}${await agentConcerns(client, overview)}`,
    ...approvalLines(overview),
    `sessions: ${sessions}`,
    ...(about === null ? [] : ['', ...statusLines(about)]),
  ]
  return print(rows.join('\n'), EXIT.ok)
}

/** With a mistake in the limits of all agents the daemon is well, and does nothing that somebody wants of it. */
function tellLimits({ dataDir }: Config): void {
  for (const problem of limitProblems(dataDir)) warn(`no agent takes a turn: ${problem}`)
}

const ANSWER_MS = 3_000
/** The status with which such a daemon says how it is. */
const STORE_AWAY = 503

/** A daemon without its store starts, and can do nothing for an agent until it is there. */
async function tellStore(record: DaemonRecord): Promise<void> {
  const asked = requestText('GET', '/health', { Host: `127.0.0.1:${record.port}` })
  // Nobody waits for one that hangs.
  const answer = await probe({ port: record.port, text: asked, limitMs: ANSWER_MS })
  if (answer === null) return warn(`it does not answer in ${ANSWER_MS / 1000} s; string doctor tells more`)
  if (answer !== STORE_AWAY) return
  const { store } = await new StringClient(addressOf(record)).health()
  if (!store.ok) warn(`the store is away, no agent takes a turn until it is back: ${shownStore(store)}`)
}

function tellDamaged({ dataDir }: Config, since: string): void {
  for (const text of damagedSince(dataDir, since)) warn(inOwnName(text))
}

function print(answer: string | object, status: number): number {
  console.log(typeof answer === 'string' ? inOwnName(answer) : JSON.stringify(answer))
  return status
}

async function logs({ dataDir }: Config): Promise<number> {
  const path = join(dataDir, 'daemon.log')
  try {
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    console.log(lines.slice(-100).join('\n'))
    return EXIT.ok
  } catch (error) {
    throw new CliError(
      EXIT.commandError,
      `No log at ${path}: ${systemReason(String((error as NodeJS.ErrnoException).code))}`,
    )
  }
}

/** Daemons of the data folder that its record does not name, because somebody removed it, or the folder. Answers their pids. */
async function endUnrecorded({ dataDir }: Config): Promise<number[]> {
  const found = daemonsOf(dataDir)
  for (const { pid, birth } of found) if (processStart(pid) === birth) process.kill(pid, 'SIGTERM')
  for (const { pid, birth } of found) await untilGone(pid, () => processStart(pid) === birth)
  return found.map(({ pid }) => pid)
}

async function untilGone(pid: number, isThere: () => boolean): Promise<void> {
  if (!(await isGoneIn(LIMITS.daemonStartMs, isThere)))
    throw new CliError(EXIT.unreachable, `stringd (pid ${pid}) does not stop`)
}

async function isGoneIn(limitMs: number, isThere: () => boolean): Promise<boolean> {
  const deadline = performance.now() + limitMs
  while (isThere()) {
    if (performance.now() > deadline) return false
    await sleep(10)
  }
  return true
}

/** Asks the daemon to stop; one that does not answer gets a signal, after a look that it is still the same process, and one that hangs is killed. */
async function endDaemon(record: DaemonRecord, { dataDir }: Config): Promise<void> {
  const { pid, isStopping, processStart: birth } = record
  const isThere = (): boolean => isDaemonAlive(record)
  const isDeaf = !(isStopping || (await hasHeard(record))) && birth !== null
  if (isDeaf && isThere()) process.kill(pid, 'SIGTERM')
  // One that has begun to stop may take the time that its agents are given.
  const hasBegun = (): boolean => readDaemonRecord(dataDir)?.isStopping === true
  if (isDeaf && !(await isGoneIn(LIMITS.stopMs, () => isThere() && !hasBegun()))) {
    warn(inOwnName(`stringd (pid ${pid}) hangs and is killed; string start ends what it has left running`))
    if (isThere()) process.kill(pid, 'SIGKILL')
  }
  await untilGone(pid, isThere)
}

/** False: there is no answer, or none in time. */
async function hasHeard(record: DaemonRecord): Promise<boolean> {
  const late = new AbortController()
  const limit = sleep(ANSWER_MS, false, { signal: late.signal }).catch(() => false)
  try {
    const asked = new StringClient(addressOf(record)).shutdown().then(() => true)
    return await Promise.race([asked, limit])
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    return false
  } finally {
    late.abort()
  }
}
