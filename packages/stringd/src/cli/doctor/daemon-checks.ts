import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HttpError, StringClient } from '@string-os/client'
import { type CheckView, count, LIMITS } from '@string-os/protocol'
import { type Config, ownEnvironment } from '../../config.ts'
import type { DaemonRecord } from '../../daemon-record.ts'
import { distDir } from '../../dist-dir.ts'
import { type Check, runChecks, type Seen, seenFail, seenOk, seenUntried, seenWarn } from '../../doctor/check.ts'
import { fileInTheWay, isShut } from '../../doctor/data-folder.ts'
import { storedEnvironment } from '../../doctor/env.ts'
import { commonChecks, homelessChecks } from '../../doctor/inspect.ts'
import { registryCheck, storedAgents } from '../../doctor/registry.ts'
import { storeCheck } from '../../doctor/store.ts'
import { VERSION } from '../../version.ts'
import { addressOf } from '../daemon/find-daemon.ts'
import { wholeTime } from '../turns/time.ts'

export function daemonCheck({ dataDir }: Config, record: DaemonRecord | null): Check {
  const none = seenUntried(`none runs for ${dataDir}: the first command starts it, or string start`)
  const look = async (): Promise<Seen> => (record === null ? none : daemonState(record))
  return { name: 'daemon', look, whenLate: 'string restart' }
}

/** Whether it answers, and whether it is what is installed. A client without a starter starts nothing. */
async function daemonState(record: DaemonRecord): Promise<Seen> {
  const { pid, version, startedAt } = record
  if (record.isStopping) return seenWarn(`pid ${pid} is stopping`, 'string doctor again, in a moment')
  const began = performance.now()
  const health = await new StringClient(addressOf(record)).health()
  const tookMs = Math.round(performance.now() - began)
  if (version !== VERSION)
    return seenWarn(
      `pid ${pid} is ${isOlder(version) ? 'an older' : 'another'} String: ${version}, this is ${VERSION}`,
      'string restart',
    )
  const built = statSync(join(distDir(), 'stringd.cjs'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (built > Date.parse(startedAt))
    return seenWarn(`pid ${pid} was started before String was installed anew`, 'string restart')
  return seenOk(`pid ${pid} answers in ${tookMs} ms, since ${wholeTime(startedAt)}, ${count(health.agents, 'agent')}`)
}

function isOlder(version: string): boolean {
  return version.localeCompare(VERSION, 'en', { numeric: true }) < 0
}

/** What a daemon says about itself; where it cannot, the same is looked at from here. */
export async function insideChecks(config: Config, record: DaemonRecord): Promise<readonly CheckView[]> {
  try {
    return (await within(new StringClient(addressOf(record)).doctor(), LIMITS.doctorMs)).checks
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const isOld = error instanceof HttpError && error.status === 404
    const seen = isOld ? 'it is too old to tell about itself' : `it does not tell about itself: ${reason}`
    const found = { name: 'daemon', ...(isOld ? seenWarn : seenFail)(seen, 'string restart') }
    return [found, ...(await ownChecks(config, record.pid))]
  }
}

/** One that takes a connection and never answers is left. */
async function within<T>(asked: Promise<T>, limitMs: number): Promise<T> {
  const over = new AbortController()
  const late = sleep(limitMs, null, over).then(() => Promise.reject(new Error(`no answer within ${limitMs / 1000} s`)))
  // Whoever is second has nobody to tell.
  for (const each of [asked, late]) each.catch(() => undefined)
  try {
    return await Promise.race([asked, late])
  } finally {
    over.abort()
  }
}

/** What only a daemon that answers can be asked. */
export const ASKED_OF_A_DAEMON = 'turns, messages to other channels, events and the log'

/** What can be looked at without a daemon, or beside one that says nothing. */
export async function ownChecks({ dataDir, store }: Config, servedBy: number | null): Promise<readonly CheckView[]> {
  if ((await fileInTheWay(dataDir)) !== null || (await isShut(dataDir)))
    return runChecks(homelessChecks({ dataDir, store }))
  const environment = () => storedEnvironment(dataDir, ownEnvironment())
  const agents = () => storedAgents(dataDir)
  return runChecks([
    { name: 'turns', look: async () => seenUntried(`${ASKED_OF_A_DAEMON} are not looked at without a daemon`) },
    storeCheck(store, servedBy),
    registryCheck(dataDir),
    ...commonChecks({ dataDir, store, agents, environment }),
  ])
}
