import { daemonStarter } from './cli/daemon.ts'
import { readConfig } from './config.ts'

/** Finds this user's daemon, starts it where none runs, and answers its port: the `autoStart` of a `StringClient`. */
export const autoStart: () => Promise<number> = daemonStarter(readConfig)
