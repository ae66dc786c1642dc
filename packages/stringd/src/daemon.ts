import { existsSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { createRunText } from './chanflow/run-text.ts'
import { createChannels } from './channels/channels.ts'
import type { Command } from './command/define.ts'
import { createDispatch } from './command/dispatch.ts'
import { COMMANDS } from './command/table.ts'
import { defaultHome } from './config.ts'
import { type DaemonRecord, daemonRecordPath, isAlive, processStart, readDaemonRecord } from './daemon-record.ts'
import { distDir } from './dist-dir.ts'
import { Inbox } from './events/inbox.ts'
import { Subscribers } from './events/subscribers.ts'
import { Heartbeat } from './http/heartbeat.ts'
import type { Services } from './http/route.ts'
import { ROUTES } from './http/routes.ts'
import { createHttpServer, type HttpServer } from './http/server.ts'
import { hubPage } from './hub/hub-page.ts'
import { Library } from './library/library.ts'
import { createParser } from './library/parser.ts'
import type { Log } from './log.ts'
import { createPackageServices } from './packages/create.ts'
import { Runtime } from './runtime/runtime.ts'
import { readEnvFile } from './shell/env-file.ts'
import { ShellHost } from './shell/shell-host.ts'
import { loadAgents } from './store/agents.ts'
import { removeOrphans, writeFileAtomic } from './store/atomic-file.ts'
import { type DataLock, lockDataDir } from './store/data-lock.ts'
import { Database } from './store/database/database.ts'
import { setOddFileAside } from './store/odd-file.ts'
import { ensurePrivateDir } from './store/private-dir.ts'
import { VERSION } from './version.ts'
import { createPageFetcher } from './web/fetch-page.ts'
import { createRequester } from './web/request.ts'

const DATABASE = 'state.db'

export interface DaemonOptions {
  readonly stringHome: string
  readonly dataDir: string
  readonly port: number
  readonly log: Log
  /** What shells get; nothing by default. */
  readonly environment?: Readonly<Record<string, string>>
  readonly execMs?: number
  readonly shellWaitMs?: number
  readonly commands?: readonly Command[]
}

export interface Daemon {
  readonly port: number
  /** Ends everything in order; the same promise however often it is called. */
  stop(): Promise<void>
  /** Resolves when the daemon has stopped, whoever asked for it. */
  readonly stopped: Promise<void>
}

/** Why there is no daemon after all, in one line for a person. */
export class StartError extends Error {
  readonly reason: 'port-taken' | 'already-running' | 'data-dir'

  constructor(reason: StartError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** Joins the parts. The port comes first: when it is taken, nothing has been written. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const services = deferred<Services>()
  const http = createHttpServer(ROUTES, services.promise)
  const { server } = http
  const port = await listen(server, options.port)
  try {
    const lock = await takeDataDir(options.dataDir)
    const daemon = await assemble(options, http, port, lock, services.resolve)
    options.log.info('stringd is ready', { port, pid: process.pid, version: VERSION, dataDir: options.dataDir })
    return daemon
  } catch (error) {
    server.close()
    server.closeAllConnections()
    throw startError(options.dataDir, error)
  }
}

async function assemble(
  {
    stringHome,
    dataDir,
    log,
    environment = {},
    execMs = LIMITS.execMs,
    shellWaitMs = LIMITS.shellWaitMs,
    commands = COMMANDS,
  }: DaemonOptions,
  http: HttpServer,
  port: number,
  lock: DataLock,
  serve: (services: Services) => void,
): Promise<Daemon> {
  const agents = await loadAgents(join(dataDir, 'agents.json'), (id) => defaultHome(stringHome, id), log)
  const database = new Database(join(dataDir, DATABASE), log)
  const inbox = new Inbox(database)
  const subscribers = new Subscribers(inbox, log)
  const channels = createChannels({
    dataDir,
    database,
    inbox,
    agent: (id) => agents.get(id),
    environment: () => ({ ...environment, ...readEnvFile(join(dataDir, 'env')) }),
    log,
  })
  await channels.deliveries.start()
  const startedAt = new Date()
  const shells = new ShellHost({
    environment,
    dataDir,
    dataId: lock.dataId,
    port,
    binDir: join(distDir(), '../bin'),
    execMs,
    waitMs: shellWaitMs,
  })
  // A record that is still there is one of a daemon that was killed.
  if (existsSync(daemonRecordPath(dataDir))) await shells.sweep()
  const parse = createParser()
  const fetch = createPageFetcher({ ownPort: () => port })
  const runtime: Runtime = new Runtime({
    shells,
    inbox,
    dispatch: createDispatch(commands),
    send: createRequester({ ownPort: () => port, limits: { pageMs: LIMITS.actionMs } }),
    library: new Library(parse, fetch),
    ...createPackageServices({ log, fetch, parse: (text) => parse({ kind: 'markdown', text }) }),
    environment,
    hubPage,
    deliveries: channels.list,
    system: () => ({
      version: VERSION,
      pid: process.pid,
      port,
      dataDir,
      startedAt,
      now: new Date(),
      agents: agents.size,
      topics: runtime.topicCount,
      limits: LIMITS,
    }),
    dataDir,
    log,
    isHome: (path) => agents.isHome(path),
  })
  const heartbeat = new Heartbeat()
  const pruning = prunePeriodically([inbox, channels.deliveries], log)
  const stopped = deferred<void>()
  let stopping = false
  const stop = (): Promise<void> => {
    if (!stopping) {
      stopping = true
      heartbeat.end()
      clearInterval(pruning)
      subscribers.end()
      const end = (): Promise<unknown> => Promise.all([runtime.stop(), channels.deliveries.stop()])
      void stopDaemon(http, end, database, dataDir, lock, log).then(stopped.resolve, stopped.reject)
    }
    return stopped.promise
  }
  await writeFileAtomic(daemonRecordPath(dataDir), `${JSON.stringify(recordOf(port))}\n`)
  const runText = createRunText({
    runtime,
    deliver: channels.deliver,
    now: () => new Date(),
    isRegistered: (id) => agents.get(id) !== undefined,
  })
  serve({
    agents,
    runtime,
    runText,
    deliveries: channels.list,
    dropDeliveries: (id) => channels.deliveries.drop(id),
    heartbeat,
    inbox,
    subscribers,
    port,
    log,
    version: VERSION,
    shutdown: () => void stop(),
  })
  return { port, stop, stopped: stopped.promise }
}

/** Forgets what was dealt with long ago, now and from time to time. */
function prunePeriodically(stores: readonly { prune: () => Promise<number> }[], log: Log): NodeJS.Timeout {
  const prune = (): void => {
    Promise.all(stores.map((store) => store.prune())).catch((error: unknown) =>
      log.warn('Old events and deliveries could not be removed', { cause: String(error) }),
    )
  }
  prune()
  return setInterval(prune, LIMITS.eventPruneMs).unref()
}

/** Refuses new connections, answers what runs and waits, lets the answers leave, and gives the data folder back. */
async function stopDaemon(
  { server, active }: HttpServer,
  end: () => Promise<unknown>,
  database: Database,
  dataDir: string,
  lock: DataLock,
  log: Log,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  const ended = end()
  // A connection on which nothing is being answered is of no use to anyone any more.
  const idle = setInterval(() => active() === 0 && server.closeAllConnections(), LIMITS.shutdownGraceMs)
  const force = setTimeout(() => server.closeAllConnections(), LIMITS.shutdownMs)
  await Promise.all([closed, ended])
  clearInterval(idle)
  clearTimeout(force)
  database.close()
  if (readDaemonRecord(dataDir)?.pid === process.pid) rmSync(daemonRecordPath(dataDir), { force: true })
  lock.release()
  log.info('stringd has stopped', { pid: process.pid })
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Port ${port} is taken by another program`
      if (error.code === 'EADDRINUSE') reject(new StartError('port-taken', taken))
      else if (error.code === 'EACCES')
        reject(new StartError('port-taken', `Port ${port} may not be used by this user`))
      else reject(error)
    })
    server.listen({ host: '127.0.0.1', port, backlog: 1024 }, () => resolve((server.address() as AddressInfo).port))
  })
}

async function takeDataDir(dataDir: string): Promise<DataLock> {
  const lock = await tryTakeDataDir(dataDir)
  if (lock !== null) return lock
  const record = readDaemonRecord(dataDir)
  const where = record === null ? '' : ` (pid ${record.pid}, port ${record.port})`
  throw new StartError('already-running', `stringd already serves ${dataDir}${where}`)
}

async function tryTakeDataDir(dataDir: string): Promise<DataLock | null> {
  try {
    ensurePrivateDir(dataDir)
    for (const name of ['id', 'agents.json', 'daemon.json', DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`])
      setOddFileAside(join(dataDir, name))
    const record = readDaemonRecord(dataDir)
    // Whoever removed the folder's id has not ended its daemon.
    const isServed = record !== null && record.pid !== process.pid && record.processStart !== null && isAlive(record)
    const lock = isServed ? null : await lockDataDir(dataDir)
    if (lock !== null) removeOrphans(dataDir, (pid) => pid !== process.pid && processStart(pid) !== null)
    return lock
  } catch (error) {
    throw startError(dataDir, error)
  }
}

/** What the system refuses during the start is about the data folder: the start touches nothing else. */
function startError(dataDir: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error instanceof StartError) return error
  return new StartError('data-dir', `Cannot use the data folder ${dataDir}: ${String(error.code)}`)
}

function recordOf(port: number): DaemonRecord {
  const startedAt = new Date().toISOString()
  return { pid: process.pid, port, version: VERSION, startedAt, processStart: processStart(process.pid) }
}

interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

function deferred<T>(): Deferred<T> {
  let settle: Pick<Deferred<T>, 'resolve' | 'reject'> | undefined
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject }
  })
  if (settle === undefined) throw new Error('A promise runs its executor at once')
  return { promise, ...settle }
}
