import { daemonStarter } from './cli/daemon/find-daemon.ts'
import { readConfig } from './config.ts'

/** Where a daemon is, and the key that shows it that we are its own user. */
export interface DaemonAddress {
  readonly port: number
  readonly key?: string | undefined
}

/**
 * Finds this user's daemon, starts it where none runs and `mayStart` is not false, and answers where it is: the `autoStart` of a
 * `StringClient`.
 */
export const autoStart: (asked?: { readonly mayStart?: boolean | undefined }) => Promise<DaemonAddress> =
  daemonStarter(readConfig)
