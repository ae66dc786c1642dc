import type { Log } from '../log.ts'
import { FileLocks } from '../store/file-locks.ts'
import type { FetchPage } from '../web/fetch-page.ts'
import { Packages } from './packages.ts'
import type { ParseMarkdown } from './plan.ts'
import { Registry } from './registry.ts'
import { StateFiles } from './state-file.ts'
import { VariableStore } from './variables.ts'

export interface PackageServices {
  readonly packages: Packages
  readonly variables: VariableStore
}

/** Packages and stored variables share one file in each home, and so its lock. */
export function createPackageServices(parts: { log: Log; fetch: FetchPage; parse: ParseMarkdown }): PackageServices {
  const locks = new FileLocks()
  const files = new StateFiles(locks, parts.log)
  return {
    packages: new Packages({ registry: new Registry(files), locks, fetch: parts.fetch, parse: parts.parse }),
    variables: new VariableStore(files),
  }
}
