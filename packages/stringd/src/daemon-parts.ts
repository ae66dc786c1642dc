import { join } from 'node:path'
import { LIMITS } from '@string-os/protocol'
import { type Channels, createChannels } from './channels/channels.ts'
import { createComplete } from './command/complete/complete.ts'
import type { Command } from './command/core/command.ts'
import { createDispatch } from './command/dispatch.ts'
import { COMMANDS } from './command/table.ts'
import { distDir } from './dist-dir.ts'
import { isProgramOn } from './doctor/on-path.ts'
import type { Inbox } from './events/inbox.ts'
import type { Residence } from './fleet/residence.ts'
import type { HttpServer } from './http/serve/server.ts'
import { hubPage } from './hub/hub-page.ts'
import { Library } from './library/library.ts'
import { createParser } from './library/parser.ts'
import type { Log } from './log.ts'
import { createPackageServices } from './packages/create.ts'
import type { Peers } from './peers/peers.ts'
import { Runtime, type RuntimeParts } from './runtime/runtime.ts'
import { Searcher } from './search/searcher.ts'
import { envFilePath, envFileReader } from './shell/env-file.ts'
import { ShellHost } from './shell/shell-host.ts'
import type { AgentRegistry } from './store/agents.ts'
import type { DataLock } from './store/data-lock.ts'
import type { Store } from './store/store.ts'
import type { StoreName } from './store/store-name.ts'
import { viewStore } from './store/view-store.ts'
import type { Clock } from './turns/clock.ts'
import { VERSION } from './version.ts'
import { createPageFetcher } from './web/fetch-page.ts'
import { createAdmission, createRequester } from './web/request.ts'

export interface DaemonOptions {
  readonly stringHome: string
  readonly dataDir: string
  readonly port: number
  readonly log: Log
  /** Where everything durable is kept; a file in the data folder by default. */
  readonly store?: StoreName
  /** What shells get; nothing by default. */
  readonly environment?: Readonly<Record<string, string>>
  readonly execMs?: number
  readonly shellWaitMs?: number
  readonly commands?: readonly Command[]
  /** Pages of this machine that may drive the daemon from another port. */
  readonly allowOrigins?: readonly string[]
  /** Users whose programs are served beside our own. */
  readonly allowUids?: readonly number[]
  /** How it is called among those that share a store; the name of the machine by default. */
  readonly node?: string
  /** Turns that it runs at once when it takes those that any node may run. */
  readonly maxTurns?: number
  /** When turns begin and are tried again; that of the machine by default. */
  readonly clock?: Clock
}

/** What stands between the options and the routes. */
export interface Assembly {
  readonly options: DaemonOptions
  readonly http: HttpServer
  readonly peers: Peers
  readonly key: string
  readonly port: number
  readonly lock: DataLock
  /** What shells, agents and channels get of it: its own environment, under what the file env says now. */
  readonly currentEnvironment: () => Record<string, string>
}

export function openChannels(
  { options, lock, currentEnvironment }: Assembly,
  { agents, residence, store, inbox }: { agents: AgentRegistry; residence: Residence; store: Store; inbox: Inbox },
): Channels {
  const { dataDir, log } = options
  return createChannels({
    dataDir,
    store,
    holder: lock.dataId,
    inbox,
    agent: (id) => agents.get(id),
    isElsewhere: async (id) => (await residence.elsewhere(id)) !== null,
    environment: currentEnvironment,
    log,
  })
}

export function environmentNow({ dataDir, environment = {}, log }: DaemonOptions): Assembly['currentEnvironment'] {
  const added = envFileReader(envFilePath(dataDir), log)
  return () => ({ ...environment, ...added() })
}

export function createShells({ options, port, lock, currentEnvironment: current }: Assembly): ShellHost {
  const { environment = {}, dataDir, execMs = LIMITS.execMs, shellWaitMs = LIMITS.shellWaitMs } = options
  const binDir = join(distDir(), '../bin')
  return new ShellHost({
    environment,
    current,
    dataDir,
    dataId: lock.dataId,
    port,
    binDir,
    execMs,
    waitMs: shellWaitMs,
  })
}

export function createRuntime(
  { options, port }: Assembly,
  {
    agents,
    store,
    ...services
  }: Pick<RuntimeParts, 'inbox' | 'shells' | 'deliveries' | 'turns' | 'wakeFor' | 'topicChanged'> & {
    agents: AgentRegistry
    store: Store
  },
): Runtime {
  const { dataDir, log, environment = {}, commands = COMMANDS, execMs = LIMITS.execMs } = options
  const parse = createParser()
  const ownPort = (): number => port
  const fetch = createPageFetcher({ ownPort })
  const current = environmentNow(options)
  const facts = { version: VERSION, pid: process.pid, port, dataDir, startedAt: new Date(), execMs }
  const runtime: Runtime = new Runtime({
    ...services,
    ...createPackageServices({
      dataDir,
      log,
      fetch,
      parse: (text) => parse({ kind: 'markdown', text }),
      hasProgram: (name) => isProgramOn(current().PATH ?? '', name),
      git: (run) => services.shells.program({ file: 'git', ...run }),
      admit: createAdmission({ ownPort }),
    }),
    library: new Library(parse, fetch),
    send: createRequester({ ownPort, limits: { pageMs: LIMITS.actionMs } }),
    searcher: new Searcher(),
    environment,
    dataDir,
    isHome: (path) => agents.isHome(path),
    dispatch: createDispatch(commands),
    complete: createComplete(commands),
    hubPage,
    system: () => ({
      ...facts,
      now: new Date(),
      agents: agents.size,
      topics: runtime.topicCount,
      store: viewStore(store),
    }),
    log,
  })
  return runtime
}
