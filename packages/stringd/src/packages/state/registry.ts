import { configFile } from './config-file.ts'
import type { HomeFolders } from './home-folders.ts'
import { entriesOf } from './json-object.ts'
import { type PackageRecord, parseRecord } from './package-record.ts'
import type { StateFiles } from './state-file.ts'

/** The installed packages of a home, in `config.json` of its folder. */
export class Registry {
  readonly #files: StateFiles
  readonly #folders: HomeFolders

  constructor(files: StateFiles, folders: HomeFolders) {
    this.#files = files
    this.#folders = folders
  }

  list(home: string): PackageRecord[] {
    const { values } = this.#files.read(configFile(this.#folders.of(home)))
    const packages = entriesOf(values.get('packages')) ?? new Map<string, unknown>()
    const records = [...packages].map(([local, record]) => parseRecord(local, record))
    return records.filter((record) => record !== null).sort((a, b) => (a.local < b.local ? -1 : 1))
  }

  find(home: string, local: string): PackageRecord | null {
    return this.list(home).find((record) => record.local === local) ?? null
  }

  put(home: string, record: PackageRecord): Promise<void> {
    const { local, ...fields } = record
    return this.#change(home, (packages) => void packages.set(local, fields))
  }

  remove(home: string, local: string): Promise<void> {
    return this.#change(home, (packages) => void packages.delete(local))
  }

  #change(home: string, apply: (packages: Map<string, unknown>) => void): Promise<void> {
    return this.#files.change(configFile(this.#folders.of(home)), (config) => {
      const packages = entriesOf(config.get('packages')) ?? new Map<string, unknown>()
      apply(packages)
      config.set('packages', Object.fromEntries(packages))
    })
  }
}
