import { accessSync, constants } from 'node:fs'

/** Why nothing can be said of what is in a data folder: this user may not look into it. Null where they may, or there is none. */
export function whyShut(dataDir: string): string | null {
  try {
    accessSync(dataDir, constants.R_OK | constants.X_OK)
    return null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return null
    return `The data folder ${dataDir} may not be entered by this user; string doctor tells how to mend it`
  }
}
