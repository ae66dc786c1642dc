import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DaemonAddress } from '@string-os/client'
import { LIMITS } from '@string-os/protocol'
import { type Config, DEFAULT_PORT, daemonEnvironment } from '../../config.ts'
import { type DaemonRecord, isDaemonAlive, readDaemonRecord } from '../../daemon-record.ts'
import { distDir } from '../../dist-dir.ts'
import { shellWord } from '../../doctor/shell-word.ts'
import { CliError, EXIT } from '../exit.ts'
import { environmentOf, type PortOwner, portOwner } from './port-owner.ts'
import { folderServedBy } from './stringd-process.ts'

type StartReport = { ok: true; port: number } | { ok: false; reason: string; error: string }

/** The daemon that has this data folder, if one does; it may be about to end. */
export function livingDaemon({ dataDir }: Config): DaemonRecord | null {
  const record = readDaemonRecord(dataDir)
  return record !== null && isDaemonAlive(record) ? record : null
}

/** The daemon that serves this data folder, if one does. Its process is the one that wrote the record, so its port is its own. */
export function runningDaemon(config: Config): DaemonRecord | null {
  const record = livingDaemon(config)
  return record === null || record.isStopping ? null : record
}

/** What a client needs to know of it. */
export function addressOf({ port, key }: DaemonRecord): DaemonAddress {
  return key === null ? { port } : { port, key }
}

/** The daemon that serves this data folder; started when there is none. Of many who ask at once, all get the same. */
export async function ensureDaemon(config: Config): Promise<DaemonRecord> {
  const living = livingDaemon(config)
  if (living?.isStopping === true) await waitForEnd(living)
  else if (living !== null) return checkPort(config, living)
  if (!config.mayStart) throw notRunning()
  const report = await start(config)
  if (report === null) throw new CliError(EXIT.unreachable, 'stringd ended before it was ready; run stringd to see why')
  const record = report.ok ? runningDaemon(config) : await whoWon(config, report)
  if (record !== null) return checkPort(config, record)
  const why = report.ok ? 'stringd ended right after it was ready; string logs tells why' : explain(config, report)
  throw new CliError(EXIT.unreachable, why)
}

function notRunning(): CliError {
  return new CliError(EXIT.unreachable, 'stringd does not run; string start starts it')
}

/**
 * What finds or starts the daemon, for a client that asks again when the one it was told of does not answer: that one
 * may have been stopping, and is waited for. `onOther` is told of each that takes the place of another.
 */
export function daemonStarter(configure: () => Config, onOther: () => void = () => undefined): AutoStart {
  let last: DaemonRecord | null = null
  const take = (found: DaemonRecord): DaemonAddress => {
    if (last !== null && (found.pid !== last.pid || found.startedAt !== last.startedAt)) onOther()
    last = found
    return addressOf(found)
  }
  return async ({ mayStart = true } = {}) => {
    const config = configure()
    if (!mayStart) return take(await listening(config))
    const found = await ensureDaemon(config)
    const isStopping = found.pid === last?.pid && !(await listens(found.port))
    if (isStopping) await waitForEnd(found)
    return take(isStopping ? await ensureDaemon(config) : found)
  }
}

/** As it is asked with or without words. */
type AutoStart = (asked?: { readonly mayStart?: boolean | undefined }) => Promise<DaemonAddress>

async function listening(config: Config): Promise<DaemonRecord> {
  const running = runningDaemon(config)
  if (running === null || !(await listens(running.port))) throw notRunning()
  return running
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function waitForEnd(record: DaemonRecord): Promise<void> {
  const deadline = performance.now() + LIMITS.daemonStartMs
  while (isDaemonAlive(record) && performance.now() < deadline) await sleep(20)
}

/** A port that was named is not passed over in silence. */
export function checkPort({ port, dataDir }: Config, record: DaemonRecord): DaemonRecord {
  if (port === null || port === 0 || port === record.port) return record
  throw new CliError(
    EXIT.unreachable,
    `The daemon of ${dataDir} runs on port ${record.port}, not on ${port}; STRING_PORT=${record.port}, or none, uses it; STRING_PORT=${record.port} string stop ends it`,
  )
}

/** Starts a daemon in the background and waits until it says that it is ready, or why not. */
function start(config: Config): Promise<StartReport | null> {
  const port = String(config.port ?? DEFAULT_PORT)
  const child = spawn(process.execPath, [join(distDir(), 'stringd.cjs'), '--port', port, '--ready-fd', '3'], {
    detached: true,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: daemonEnvironment(config),
  })
  const pipe = child.stdio[3] as Readable
  return new Promise((resolve, reject) => {
    let text = ''
    pipe.setEncoding('utf8')
    pipe.on('data', (chunk: string) => {
      text += chunk
    })
    // One that hangs while it starts would stay and hold the data folder.
    const limit = setTimeout(() => {
      child.kill('SIGKILL')
      pipe.destroy()
    }, LIMITS.daemonStartMs)
    pipe.on('close', () => {
      clearTimeout(limit)
      child.unref()
      resolve(text.endsWith('\n') ? (JSON.parse(text) as StartReport) : null)
    })
    child.on('error', reject)
  })
}

/** Somebody else was first: one who starts at this moment will be recorded soon, a stranger never. */
async function whoWon(config: Config, { reason }: { reason: string }): Promise<DaemonRecord | null> {
  if (reason !== 'port-taken' && reason !== 'already-running') return null
  const deadline = performance.now() + LIMITS.daemonStartMs
  while (performance.now() < deadline) {
    const record = runningDaemon(config)
    if (record !== null) return record
    if (reason === 'port-taken' && !isOurStringd(config)) return null
    await sleep(20)
  }
  return null
}

/** Whether the port is held by a daemon that may be starting for our data folder, and not by one of another. */
function isOurStringd({ port, dataDir }: Config): boolean {
  const owner = portOwner(port ?? DEFAULT_PORT)
  if (owner === null || !owner.command.includes('stringd')) return false
  const theirs = environmentOf(owner.pid, 'STRING_DATA_DIR')
  return theirs === null || theirs === dataDir
}

function explain(config: Config, { reason, error }: { reason: string; error: string }): string {
  if (reason !== 'port-taken') return reason === 'data-dir' ? `${error}; string doctor tells how to mend it` : error
  return portTaken(config, portOwner(config.port ?? DEFAULT_PORT))
}

/** Where no daemon runs: who has its port, and what to do about it; null where it is free. */
export async function portHolder(config: Config): Promise<string | null> {
  const port = config.port ?? DEFAULT_PORT
  if (port === 0) return null
  const owner = portOwner(port)
  return owner === null && !(await listens(port)) ? null : portTaken(config, owner)
}

function portTaken({ port }: Config, owner: PortOwner | null): string {
  const who = owner === null ? 'another program, perhaps of another user' : `pid ${owner.pid} (${owner.command})`
  const folder = owner === null ? null : folderServedBy(owner.pid)
  const end = folder === null ? '' : `, or end that daemon: STRING_DATA_DIR=${shellWord(folder)} string stop`
  return `Port ${port ?? DEFAULT_PORT} is taken by ${who}; set STRING_PORT to another port${end}`
}
