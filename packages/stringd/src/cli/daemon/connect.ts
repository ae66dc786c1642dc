import { type DaemonAddress, HttpError, StringClient, StringClientError, UnreachableError } from '@string-os/client'
import type { Config } from '../../config.ts'
import { VERSION } from '../../version.ts'
import { CliError, EXIT } from '../exit.ts'
import { inOwnName, ownName } from '../program-name.ts'
import { addressOf, daemonStarter, ensureDaemon, runningDaemon } from './find-daemon.ts'

/** A client of the daemon that serves our data folder. */
export async function connect(config: Config): Promise<StringClient> {
  const { port, version } = await ensureDaemon(config)
  if (version !== VERSION) {
    const differs = `the running daemon is ${version}, this is ${VERSION}; string restart replaces it`
    process.stderr.write(`${ownName()}: ${inOwnName(differs)}\n`)
  }
  return new StringClient({ port, agent: config.agent, autoStart: daemonStarter(() => config) })
}

/** The same for who stays for long: a daemon that somebody stops stays stopped, one that comes back may have another port. */
export async function connectPatiently(config: Config): Promise<StringClient> {
  const { port } = await ensureDaemon(config)
  return patientClient(config, port)
}

export function patientClient(config: Config, port: number): StringClient {
  const autoStart = (): Promise<DaemonAddress> => Promise.resolve().then(() => whereIs(config))
  return new StringClient({ port, agent: config.agent, autoStart })
}

function whereIs(config: Config): DaemonAddress {
  const running = runningDaemon(config)
  if (running === null) throw new UnreachableError('stringd does not run')
  return addressOf(running)
}

/** What a failed request means for whoever typed it. */
export function asCliError(error: unknown): unknown {
  if (error instanceof UnreachableError) return new CliError(EXIT.unreachable, error.message)
  if (error instanceof HttpError)
    return new CliError(error.status === 400 ? EXIT.usage : EXIT.commandError, error.message)
  if (error instanceof StringClientError)
    return new CliError(EXIT.commandError, `ERROR(${error.code}): ${error.message}`)
  return error
}
