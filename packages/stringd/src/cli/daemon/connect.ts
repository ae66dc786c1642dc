import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DaemonAddress, HttpError, StringClient, StringClientError, UnreachableError } from '@string-os/client'
import { LIMITS, systemReason, visibleLine } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { shellWord } from '../../doctor/shell-word.ts'
import { VERSION } from '../../version.ts'
import { CliError, EXIT, isCliError, noSuchThing } from '../exit.ts'
import { inOwnName, ownName } from '../program-name.ts'
import { asTyped } from './as-typed.ts'
import { addressOf, checkPort, daemonStarter, ensureDaemon, runningDaemon } from './find-daemon.ts'

interface Connecting {
  /** Told of each daemon that takes the place of another. */
  readonly onOther?: () => void
  /** Whether one that has gone may be started again at this moment; what is connected to first always may. */
  readonly mayStart?: () => boolean
}

/** A client of the daemon that serves our data folder. */
export async function connect(
  config: Config,
  { onOther, mayStart = () => true }: Connecting = {},
): Promise<StringClient> {
  const { port, version } = await ensureDaemon(config)
  if (version !== VERSION) {
    const differs = `the running daemon is ${version}, this is ${VERSION}; string restart replaces it`
    process.stderr.write(`${ownName()}: ${inOwnName(differs)}\n`)
  }
  const autoStart = daemonStarter(() => ({ ...config, mayStart: config.mayStart && mayStart() }), onOther)
  // Whether a name is misspelt is asked before, where it matters (`connectAs`).
  return new StringClient({ port, agent: config.agent, create: true, autoStart })
}

/**
 * The same for who follows what happens: none is started, one that does not run is waited for, one that somebody stops
 * stays stopped, and one that comes back may have another port. Null: it was told to end before there was one.
 */
export async function connectPatiently(config: Config, signal: AbortSignal): Promise<StringClient | null> {
  let running = runningDaemon(config)
  if (running === null) process.stderr.write(`${ownName()}: ${inOwnName(WAITING)}\n`)
  while (running === null && !signal.aborted) {
    await sleep(LIMITS.timelineLookMs, null, { signal }).catch(() => null)
    running = runningDaemon(config)
  }
  return running === null ? null : patientClient(config, checkPort(config, running).port)
}

export const WAITING = 'stringd does not run; waiting for it (string start starts it)'

/** Ctrl-C and the like end what follows, and that is its ordinary end. */
export function untilInterrupted(): AbortSignal {
  const over = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => over.abort())
  return over.signal
}

export function patientClient(config: Config, port: number): StringClient {
  const autoStart = (): Promise<DaemonAddress> => Promise.resolve().then(() => whereIs(config))
  return new StringClient({ port, agent: config.agent, create: true, autoStart })
}

function whereIs(config: Config): DaemonAddress {
  const running = runningDaemon(config)
  if (running === null) throw new UnreachableError('stringd does not run')
  return addressOf(running)
}

/** What a failed request means for whoever typed it. */
export function asCliError(error: unknown): unknown {
  // Why none could be started was said by the command line itself.
  if (error instanceof UnreachableError && isCliError(error.cause)) return error.cause
  if (error instanceof UnreachableError)
    return new CliError(EXIT.unreachable, `${error.message}; string doctor tells why`)
  if (error instanceof HttpError && error.status === 404) return noSuchThing(asTyped(error.message))
  if (error instanceof HttpError && error.status === 413)
    return new CliError(EXIT.commandError, `${error.message}. ${error.next}`, { hint: error.next })
  if (error instanceof HttpError)
    return new CliError(error.status === 400 ? EXIT.usage : EXIT.commandError, asTyped(error.message))
  if (error instanceof StringClientError)
    return new CliError(EXIT.commandError, `ERROR(${error.code}): ${error.message}`)
  if (isFolderGone(error)) return folderGone()
  return isSystemError(error) ? refusedBySystem(error) : error
}

/** Whoever asks for the working folder, by whatever way, hears of it here. */
function isFolderGone(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd'
}

function folderGone(): CliError {
  const next = 'cd to a folder that exists'
  return new CliError(EXIT.usage, `The folder that you are in does not exist any more; ${next}`, { hint: next })
}

interface SystemError extends Error {
  readonly code: string
  readonly path: string
}

/** What the system says of a file; whatever else was thrown is a fault of ours, and shows where. */
function isSystemError(error: unknown): error is SystemError {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    'path' in error &&
    typeof error.path === 'string'
  )
}

function refusedBySystem({ code, path }: SystemError): CliError {
  const place = visibleLine(shellWord(nearestThere(path)))
  const isOwn = code === 'EACCES' && statSync(nearestThere(path), { throwIfNoEntry: false })?.uid === process.getuid?.()
  const who = isOwn ? `it is yours: chmod u+rwX ${place}` : `ls -ld ${place} shows who may`
  const next = FULL.includes(code) ? `df -h ${place} shows the disk` : who
  return new CliError(EXIT.commandError, `${visibleLine(path)} cannot be used: ${systemReason(code)}; ${next}`)
}

/** It, or the first folder above it that can be seen. */
function nearestThere(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestThere(dirname(path))
}

const FULL: readonly string[] = ['ENOSPC', 'EDQUOT']
