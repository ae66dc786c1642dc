import { ensureDaemon } from './cli/daemon.ts'
import { readConfig } from './config.ts'

/** Starts a daemon where none runs, and answers its port: the `autoStart` of a `StringClient`. */
export const autoStart: () => Promise<number> = async () => (await ensureDaemon(readConfig())).port
