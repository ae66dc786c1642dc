import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StringClient, UnreachableError } from '@string-os/client'
import { LIMITS } from '@string-os/protocol'
import type { Config } from '../config.ts'
import { type DaemonRecord, isAlive } from '../daemon-record.ts'
import { VERSION } from '../version.ts'
import { ensureDaemon, runningDaemon } from './daemon.ts'
import { CliError, EXIT, usageError } from './exit.ts'

type Verb = (config: Config) => Promise<number>

const VERBS: ReadonlyMap<string, Verb> = new Map([
  ['start', start],
  ['stop', stop],
  ['status', status],
  ['restart', restart],
  ['logs', logs],
])

/** `string --daemon VERB` */
export function runDaemonVerb(verb: string, config: Config): Promise<number> {
  const run = VERBS.get(verb)
  if (run === undefined) throw usageError(`Unknown: --daemon ${verb} (one of ${[...VERBS.keys()].join(', ')})`)
  return run(config)
}

async function start(config: Config): Promise<number> {
  const already = runningDaemon(config) !== null
  const { pid, port } = await ensureDaemon(config)
  console.log(`stringd ${already ? 'already runs' : 'started'} on 127.0.0.1:${port} (pid ${pid})`)
  return EXIT.ok
}

async function stop(config: Config): Promise<number> {
  const record = runningDaemon(config)
  if (record === null) {
    console.log('stringd is not running')
    return EXIT.ok
  }
  await end(record)
  console.log(`stringd stopped (pid ${record.pid})`)
  return EXIT.ok
}

async function restart(config: Config): Promise<number> {
  const record = runningDaemon(config)
  if (record !== null) await end(record)
  // Without a port of our own, the new one takes the place of the old.
  return start({ ...config, port: config.port ?? record?.port ?? null })
}

async function status(config: Config): Promise<number> {
  const record = runningDaemon(config)
  if (record === null) {
    console.log(`stringd is not running (data folder ${config.dataDir})`)
    return EXIT.unreachable
  }
  const { agents, sessions } = await new StringClient({ port: record.port }).health()
  const rows = [
    `stringd runs on 127.0.0.1:${record.port}`,
    `pid: ${record.pid}`,
    `version: ${record.version}${record.version === VERSION ? '' : ` (this is ${VERSION}; string --daemon restart replaces it)`}`,
    `since: ${record.startedAt}`,
    `data folder: ${config.dataDir}`,
    `agents: ${agents}`,
    `sessions: ${sessions}`,
  ]
  console.log(rows.join('\n'))
  return EXIT.ok
}

async function logs({ dataDir }: Config): Promise<number> {
  const path = join(dataDir, 'daemon.log')
  try {
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    console.log(lines.slice(-100).join('\n'))
    return EXIT.ok
  } catch (error) {
    throw new CliError(EXIT.commandError, `No log at ${path}: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** Asks the daemon to stop; one that does not answer gets a signal, after a look that it is still the same process. */
async function end(record: DaemonRecord): Promise<void> {
  try {
    await new StringClient({ port: record.port }).shutdown()
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    if (record.processStart !== null && isAlive(record)) process.kill(record.pid, 'SIGTERM')
  }
  const deadline = performance.now() + LIMITS.daemonStartMs
  while (isAlive(record)) {
    if (performance.now() > deadline) throw new CliError(EXIT.unreachable, `stringd (pid ${record.pid}) does not stop`)
    await sleep(10)
  }
}
