import { type Config, ownEnvironment } from '../../config.ts'
import { envFilePath, variablesOfFile } from '../../doctor/env.ts'
import { runningDaemon } from '../daemon/find-daemon.ts'
import { environOf } from '../daemon/port-owner.ts'
import { warn } from './turn-output.ts'

type Environment = Readonly<Record<string, string>>

/** What `${NAME}` of a profile stands for here, and in the daemon that runs. */
export interface ProfileEnvironments {
  readonly here: Environment
  /** Null where none runs, or the system does not tell: then one that is started from here has the same variables. */
  readonly inDaemon: Environment | null
}

/** The file holds for both. What was set for a program that is run from here counts more; in the daemon, what can be changed while it runs. */
export function profileEnvironments(config: Config): ProfileEnvironments {
  const added = ofFile(config)
  const pid = runningDaemon(config)?.pid ?? null
  const started = pid === null ? null : environOf(pid)
  return {
    here: { ...added, ...ownEnvironment() },
    inDaemon: started === null ? null : { ...ownEnvironment(started), ...added },
  }
}

/** The variables that the file sets, for whom they may be. */
export function variableNames(config: Config): readonly string[] {
  return Object.keys(ofFile(config))
}

/** What to do about a variable that a profile lacks where it is run from here. */
export function howToSetHere({ dataDir }: Config): (name: string) => string {
  return (name) => `Set ${name} where you type this, or write ${name}=… into ${envFilePath(dataDir)}`
}

/** A profile that needs nothing of it runs without it. */
function ofFile({ dataDir }: Config): Environment {
  try {
    return variablesOfFile(dataDir)
  } catch (error) {
    warn(`${envFilePath(dataDir)} cannot be read, and is left out: ${(error as NodeJS.ErrnoException).code}`)
    return {}
  }
}
