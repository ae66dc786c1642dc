import type { Log } from '../log.ts'
import { FileLocks } from '../store/file-locks.ts'
import type { FetchPage } from '../web/fetch-page.ts'
import type { HasProgram } from './check/checked-package.ts'
import { Packages } from './packages.ts'
import type { ParseMarkdown } from './source/plan.ts'
import type { GitParts } from './source/read-git.ts'
import { HomeFolders } from './state/home-folders.ts'
import { Registry } from './state/registry.ts'
import { StateFiles } from './state/state-file.ts'
import { VariableStore } from './state/variables.ts'

export interface PackageServices {
  readonly packages: Packages
  readonly variables: VariableStore
}

export interface PackageServicesParts extends GitParts {
  readonly dataDir: string
  readonly log: Log
  readonly fetch: FetchPage
  readonly parse: ParseMarkdown
  readonly hasProgram: HasProgram
}

/** Packages and stored variables share one file for each home, and so its lock. */
export function createPackageServices({ dataDir, log, ...parts }: PackageServicesParts): PackageServices {
  const locks = new FileLocks()
  const folders = new HomeFolders(dataDir)
  const files = new StateFiles(locks, log)
  return {
    packages: new Packages({ registry: new Registry(files, folders), folders, locks, ...parts }),
    variables: new VariableStore(files, folders),
  }
}
