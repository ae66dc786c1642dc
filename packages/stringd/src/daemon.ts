import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIMITS, type LogEntry } from '@string-os/protocol'
import { Approvals } from './approvals/approvals.ts'
import { createRunText } from './chanflow/run-text.ts'
import { defaultHome } from './config.ts'
import {
  type Assembly,
  createRuntime,
  createShells,
  type DaemonOptions,
  environmentNow,
  openChannels,
} from './daemon-parts.ts'
import { type DaemonRecord, daemonRecordPath, processStart, readDaemonRecord } from './daemon-record.ts'
import { type Daemon, deferred, prunePeriodically, stopDaemon, stopOnce } from './daemon-stop.ts'
import { portTaken, startError, takeDataFolder } from './data-folder.ts'
import { distDir } from './dist-dir.ts'
import { createDoctor } from './doctor/daemon-doctor.ts'
import { Inbox } from './events/inbox.ts'
import { Subscribers } from './events/subscribers.ts'
import { createFleet } from './fleet/create-fleet.ts'
import { moveHere } from './fleet/move.ts'
import { Residence } from './fleet/residence.ts'
import { Heartbeat } from './http/handle/heartbeat.ts'
import type { Services } from './http/route.ts'
import { ROUTES } from './http/routes.ts'
import { createPageFiles } from './http/serve/page-files.ts'
import { createHttpServer } from './http/serve/server.ts'
import { openPeers } from './peers/open-peers.ts'
import { EVERYONE } from './peers/peers.ts'
import { DAEMON_DIED, type LogQuery, logPath, readLog } from './read-log.ts'
import { howToSet } from './shell/env-file.ts'
import { portRefused, StartError } from './start-error.ts'
import { loadAgents } from './store/agents.ts'
import { writeFileAtomic } from './store/atomic-file.ts'
import type { TurnQuery } from './store/groups/turns.ts'
import { openStore } from './store/open-store.ts'
import type { Store } from './store/store.ts'
import type { StoreName } from './store/store-name.ts'
import { createProfileCheck } from './turns/check-profile.ts'
import { SYSTEM_CLOCK } from './turns/clock.ts'
import { createTurnServices, type TurnServices } from './turns/create.ts'
import { Refusals } from './turns/refusals.ts'
import { VERSION } from './version.ts'
import type { Change } from './watch/change-log.ts'
import { continuePlaces } from './watch/first-place.ts'
import { SharedChanges } from './watch/shared-changes.ts'
import { Watch } from './watch/watch.ts'
import { watchedStore } from './watch/watched-store.ts'

export type { Daemon, DaemonOptions }

/** Joins the parts. The port comes first: when it is taken, nothing has been written. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const services = deferred<Services>()
  const { allowOrigins = [], allowUids = [], log } = options
  const key = randomBytes(32).toString('base64url')
  const peers = openPeers({ key, allowUids, log })
  const http = createHttpServer(ROUTES, services.promise, { allowOrigins, peers })
  const { server } = http
  const port = await listen(server, options)
  try {
    const lock = await takeDataFolder(options.dataDir)
    warnOfKilled(options)
    const daemon = await assemble(
      { options, http, peers, key, port, lock, currentEnvironment: environmentNow(options) },
      services.resolve,
    )
    options.log.info('stringd is ready', { port, pid: process.pid, version: VERSION, dataDir: options.dataDir })
    return daemon
  } catch (error) {
    server.close()
    server.closeAllConnections()
    peers.end()
    throw startError(options.dataDir, error)
  }
}

/** A record that is left says that its daemon came to no orderly end. */
function warnOfKilled({ dataDir, log }: DaemonOptions): void {
  const left = readDaemonRecord(dataDir)
  if (left === null || left.processStart === processStart(process.pid)) return
  const reason = 'it was killed, or the machine went down; what it ran was cut off'
  log.warn(DAEMON_DIED, { lastPid: left.pid, reason })
}

async function assemble(assembly: Assembly, serve: (services: Services) => void): Promise<Daemon> {
  const { options, port, key, currentEnvironment } = assembly
  const { stringHome, dataDir, log } = options
  const late: Late = {}
  const watch = new Watch({
    textOf: (id) => late.work?.turns.textOf(id) ?? null,
    begin: (self) => continuePlaces(self, store.marks, assembly.lock.dataId, log),
    log,
  })
  // What changes before there is a store is seen on this node alone.
  const changedHere = (change: Change): void => {
    late.work?.changed(change.agentId)
    watch.changed(change)
  }
  const changed = (change: Change): void => {
    changedHere(change)
    late.shared?.changed(change)
  }
  const agents = await loadAgents(
    join(dataDir, 'agents.json'),
    (id) => defaultHome(stringHome, id),
    log,
    (kind, id, isDeleted) => changed({ kind, id, agentId: id, isDeleted }),
  )
  const fatal: { error?: Error; stop?: () => void } = {}
  const onFatal = (error: Error): void => {
    log.error('The store can never be used', { reason: error.message })
    fatal.error = error
    fatal.stop?.()
  }
  const { dataId } = assembly.lock
  const opened = await openStore(storeName(options), { log, onFatal, nodeId: dataId })
  const store = watchedStore(opened, changed, log, changedHere)
  const shared = new SharedChanges({ store, watch, nodeId: dataId })
  late.shared = shared
  const inbox = new Inbox(store)
  const residence = new Residence({
    store,
    registry: agents,
    nodeId: dataId,
    traits: async (agent) => (await late.work?.traits(agent)) ?? { placement: 'home', whenBusy: 'queue' },
    onGone: async (id) => late.gone?.(id),
    onCome: (id) => late.come?.(id),
    log,
  })
  const fleet = createFleet({
    store,
    residence,
    dataDir,
    node: { id: dataId, name: options.node ?? hostname(), version: VERSION },
    agents: () => agents.size,
    turns: () => late.work?.turns,
    onAgent: (id) => late.come?.(id),
    onSwept: () => void late.approvals?.start(),
    changed: (name) => changed({ kind: 'node', id: name, agentId: '' }),
    onCrowd: () => shared.reset(),
    onRefused: onFatal,
    log,
  })
  // With a store that is away it joins when that is back.
  if (store.state().ok) await fleet.join().catch(closing(store))
  const channels = openChannels(assembly, { agents, residence, store, inbox })
  await channels.deliveries.start()
  const shells = createShells(assembly)
  // A record that is still there is one of a daemon that was killed.
  if (existsSync(daemonRecordPath(dataDir))) await shells.sweep()
  const runtime = createRuntime(assembly, {
    agents,
    store,
    inbox,
    shells,
    deliveries: channels.list,
    turns: async (id) => (await late.work?.turns.list(newestOf(id))) ?? [],
    wakeFor: (agent, event) => late.work?.wakeFor(agent, event) ?? Promise.reject(new Error('The daemon starts')),
    topicChanged: (agentId, id, isDeleted) => changed({ kind: 'topic', id, agentId, isDeleted }),
  })
  const runText = createRunText({
    runtime,
    deliver: channels.deliver,
    now: () => new Date(),
    isRegistered: (id) => agents.get(id) !== undefined,
  })
  const approvals = new Approvals({ store, clock: options.clock ?? SYSTEM_CLOCK, log })
  late.approvals = approvals
  const work = createTurnServices({
    store,
    dataId,
    approvals,
    dataDir,
    port,
    binDir: join(distDir(), '../bin'),
    agent: (id) => residence.agent(id),
    agents: () => agents.list(),
    isHomeAnew: (id) => agents.isHomeAnew(id),
    environment: currentEnvironment,
    howToSet: howToSet(dataDir),
    runText,
    changed: (kind, id, agentId) => changed({ kind, id, agentId }),
    said: watch.said,
    fleet: {
      ready: () => fleet.join(),
      isHere: (id) => residence.isHere(id),
      isForAnyone: (id) => residence.isForAnyone(id),
      guest: (id) => residence.guest(id),
      noted: (agent) => residence.noted(agent),
      nameOf: (id) => fleet.nameOf(id),
      maxTurns: options.maxTurns ?? LIMITS.maxTurns,
    },
    log,
    clock: options.clock,
  })
  // A turn runs blocks, and a command wakes for an event: one of the two comes first.
  late.work = work
  const subscribers = new Subscribers(store, log)
  // What it has here ends; what is stored of it is another node's now.
  late.come = (id) => {
    work.come(id)
    void channels.deliveries.look()
  }
  late.gone = async (id) => {
    subscribers.end(id)
    work.gone(id)
    await runtime.closeAgent(id)
  }
  const heartbeat = new Heartbeat()
  inbox.onOver((agentId, ids) => work.turns.eventsOver(agentId, ids))
  const pruning = prunePeriodically([inbox, channels.deliveries, work.turns, approvals], log)
  const { stop, stopped } = stopOnce(async (why) => {
    heartbeat.end()
    clearInterval(pruning)
    subscribers.end()
    watch.end()
    shared.stop()
    const endAll = async (): Promise<void> => {
      await Promise.all([work.stop().then(() => runtime.stop()), channels.deliveries.stop()])
      await fleet.stop()
    }
    await stopDaemon(assembly, store, endAll, why)
    if (fatal.error !== undefined) throw startError(dataDir, fatal.error)
  })
  fatal.stop = () => void stop()
  // It may have turned out while all of this was made.
  if (fatal.error !== undefined) fatal.stop()
  const record = recordOf(port, key)
  await writeFileAtomic(daemonRecordPath(dataDir), `${JSON.stringify(record)}\n`)
  fleet.start()
  serve({
    agents,
    residence,
    fleet,
    move: (request) => moveHere({ store, fleet, residence, onSwept: () => void approvals.start(), log }, request),
    checkProfile: createProfileCheck(currentEnvironment, howToSet(dataDir)),
    runtime,
    runText,
    turns: work.turns,
    turnsElsewhere: shared.onTurn,
    approvals,
    dropTurns: work.drop,
    wakeUp: work.wakeUp,
    refusals: new Refusals(log, options.clock ?? SYSTEM_CLOCK),
    prospect: work.prospect,
    eventWait: work.eventWait,
    usage: work.usage,
    deliveries: channels.deliveries,
    standings: work.standings,
    agentWork: work.work,
    wakeFor: work.wakeFor,
    dropDeliveries: (id) => channels.deliveries.drop(id),
    heartbeat,
    store,
    inbox,
    subscribers,
    watch,
    pageFiles: createPageFiles(join(distDir(), 'page')),
    port,
    dataDir,
    log,
    readLog: logReader(dataDir),
    diagnose: createDoctor({
      version: VERSION,
      dataDir,
      store: storeName(options),
      storeNow: store,
      agents: () => agents.list(),
      environment: currentEnvironment,
      turns: work.turns,
      inbox,
      prospect: work.prospect,
      standings: work.standings,
      deliveries: channels.list,
      readLog: logReader(dataDir),
      allowUids: options.allowUids ?? [],
      allowOrigins: options.allowOrigins ?? [],
      tellsUsers: assembly.peers !== EVERYONE,
    }),
    version: VERSION,
    startedAt: record.startedAt,
    commandMs: options.execMs ?? LIMITS.execMs,
    shutdown: () => void stop('a program of this user asked for it: string stop, string restart, or a client'),
  })
  const started = work
    .start()
    .catch((error: unknown) => log.error('Turns could not be taken up', { cause: String(error) }))
  // With a store that is away it goes on in the background.
  await Promise.race([started, sleep(LIMITS.storeRetryMs)])
  return { port, stop, stopped }
}

/** What is made later than those who need it. */
interface Late {
  shared?: SharedChanges
  approvals?: Approvals
  work?: TurnServices
  come?: (agentId: string) => void
  gone?: (agentId: string) => Promise<void>
}

function closing(store: Store): (error: unknown) => Promise<never> {
  return async (error) => {
    await store.close()
    throw error
  }
}

function storeName({ store, dataDir }: DaemonOptions): StoreName {
  return store ?? { kind: 'sqlite', folder: dataDir }
}

function logReader(dataDir: string): (query: LogQuery) => Promise<readonly LogEntry[]> {
  return (query) => readLog(logPath(dataDir), query)
}

function newestOf(agentId: string): TurnQuery {
  return { agentId, session: null, state: null, since: null, again: false, before: null, limit: LIMITS.systemRows }
}

function listen(server: Server, { port, dataDir }: DaemonOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') reject(portTaken(dataDir, port))
      else if (error.code === 'EACCES') reject(new StartError('port-refused', portRefused(port)))
      else reject(error)
    })
    server.listen({ host: '127.0.0.1', port, backlog: 1024 }, () => resolve((server.address() as AddressInfo).port))
  })
}

function recordOf(port: number, key: string): DaemonRecord {
  const startedAt = new Date().toISOString()
  const began = processStart(process.pid)
  return { pid: process.pid, port, version: VERSION, startedAt, processStart: began, key, isStopping: false }
}
