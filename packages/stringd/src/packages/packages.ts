import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Failure } from '@string-os/protocol'
import type { FileLocks } from '../store/file-locks.ts'
import type { FetchPage } from '../web/fetch-page.ts'
import type { HasProgram } from './check/checked-package.ts'
import { type PackageProblem, withMistakes } from './check/package-problem.ts'
import { nameConflict } from './name-conflict.ts'
import { type Changes, changesBetween } from './source/changes.ts'
import { type AskedFor, type Inspected, type InstallOptions, inspect } from './source/inspect.ts'
import { type LookedInside, lookInside } from './source/look-inside.ts'
import type { PackageSource } from './source/package-files.ts'
import { type ParseMarkdown, type Plan, readPlan } from './source/plan.ts'
import { type GitParts, type GitSource, readGit } from './source/read-git.ts'
import { type LocalSource, readLocal } from './source/read-local.ts'
import { readUrl, type UrlSource } from './source/read-url.ts'
import { clear, recover, stage, stagedPath, swap } from './source/staging.ts'
import type { HomeFolders } from './state/home-folders.ts'
import { isLinkedPage, type PackageRecord } from './state/package-record.ts'
import type { Registry } from './state/registry.ts'
import { stateFailure } from './state/variables.ts'

export interface PackagesParts extends GitParts {
  readonly registry: Registry
  readonly folders: HomeFolders
  readonly locks: FileLocks
  readonly fetch: FetchPage
  readonly parse: ParseMarkdown
  /** Whether its commands would find a program. */
  readonly hasProgram: HasProgram
}

/** Where a package is taken from. */
export type TypedSource = LocalSource | UrlSource | GitSource

/** A package that could be installed: everything is known about it, and nothing is written. */
export interface PreparedPackage {
  readonly ok: true
  readonly record: PackageRecord
  readonly source: PackageSource
  readonly plan: Plan
  /** What its author would want to know. */
  readonly mistakes: readonly PackageProblem[]
  readonly replace: boolean
  readonly asked: AskedFor
}

/** An installed package, and the folder that holds it; a linked page has none. */
export interface Installed {
  readonly record: PackageRecord
  readonly folder: string | null
}

/** Installs, finds and removes packages. What is installed is what `config.json` names: never a half of anything. */
export class Packages {
  readonly #parts: PackagesParts
  /** Homes in which nothing is left of a killed process. */
  readonly #recovered = new Set<string>()

  constructor(parts: PackagesParts) {
    this.#parts = parts
  }

  list(home: string): readonly Installed[] {
    this.#recover(home)
    const folder = this.#folder(home)
    const records = this.#parts.registry.list(home)
    return records.map((record) => ({ record, folder: folderOf(record, folder) }))
  }

  find(home: string, local: string): Installed | null {
    return this.list(home).find(({ record }) => record.local === local) ?? null
  }

  /** Reads and checks everything, and says what the package may do. */
  async prepare(from: TypedSource, options: InstallOptions): Promise<PreparedPackage | Failure> {
    const source = await this.#read(from)
    if (!source.ok) return source
    const inspected = await inspect(source, options, this.#parts.parse)
    // With it comes a parser for bash, which most runs of the daemon do without.
    const { findMistakes } = await import('./check/check-package.ts')
    const mistakes = await findMistakes(source, this.#parts.parse, this.#parts.hasProgram)
    if (!inspected.ok) return withMistakes(inspected, mistakes)
    const record = recordOf(inspected, source)
    return { ok: true, record, source, plan: inspected.plan, mistakes, replace: options.replace, asked: options.asked }
  }

  /** What is in an installed one now. */
  look(installed: Installed): Promise<LookedInside | Failure> {
    return lookInside(installed, this.#parts.parse)
  }

  /** What is different from the version that is installed under that name, of a link from what it leads to now; null where there is none to compare with. Of the same link only the front matter can be another: its files count already. */
  async changes(home: string, { record, source, plan }: PreparedPackage): Promise<Changes | null> {
    const there = this.find(home, record.local)
    if (there === null || there.folder === null) return null
    const { folder } = there
    const isSameLink = record.linked && record.folder === folder
    const before = isSameLink
      ? source
      : await readLocal({ kind: 'local', real: folder, typed: folder, link: false, guard: () => null })
    if (!before.ok) return null
    const planBefore = await readPlan(before, there.record.needs, this.#parts.parse)
    const changes = changesBetween(
      { record: there.record, files: before.files, plan: planBefore },
      { record, files: source.files, plan },
    )
    return { ...changes, isSameLink }
  }

  /** The package that stands in the way: another one, or one from elsewhere, under the same name. */
  conflict(home: string, { record, replace, asked }: PreparedPackage): Failure | null {
    const there = this.#parts.registry.find(home, record.local)
    return there === null || replace ? null : nameConflict(there, record, asked)
  }

  /** Stages beside, registers, puts in place. Whatever fails, and whenever, the state before is whole. */
  install(home: string, prepared: PreparedPackage): Promise<Failure | null> {
    const folder = this.#folder(home)
    return this.#parts.locks.with(folder, async () => {
      const { record, source } = prepared
      const conflict = this.conflict(home, prepared)
      if (conflict !== null) return conflict
      const staged = stagedPath(folder, record.local, record.id, 'new')
      try {
        this.#parts.folders.ensure(home, 'packages')
        this.#recover(home, true)
        if (!record.linked) await stage(staged, source.files)
        await this.#commit(home, record, staged)
        return null
      } catch (error) {
        await rm(staged, { recursive: true, force: true })
        return stateFailure(error, `${record.local} was not installed`)
      }
    })
  }

  /** Unregisters, then removes; stored variables stay. */
  uninstall(home: string, local: string): Promise<Failure | null> {
    const folder = this.#folder(home)
    return this.#parts.locks.with(folder, async () => {
      try {
        this.#recover(home, true)
        await this.#parts.registry.remove(home, local)
      } catch (error) {
        return stateFailure(error, `${local} was not uninstalled`)
      }
      await clear(join(folder, local), stagedPath(folder, local, randomId(), 'old'))
      return null
    })
  }

  /** From the registration on the new package is the installed one: a crash before it takes its place is made good. */
  async #commit(home: string, record: PackageRecord, staged: string): Promise<void> {
    const folder = this.#folder(home)
    const target = join(folder, record.local)
    const { registry } = this.#parts
    const before = registry.find(home, record.local)
    const old = stagedPath(folder, record.local, record.id, 'old')
    await registry.put(home, record)
    try {
      if (!record.linked) swap(staged, target, old)
    } catch (error) {
      await (before === null ? registry.remove(home, record.local) : registry.put(home, before))
      throw error
    }
    if (record.linked) await clear(target, old)
    else await clear(old, old)
  }

  #read(from: TypedSource): Promise<PackageSource | Failure> {
    if (from.kind === 'url') return readUrl(from, this.#parts.fetch)
    return from.kind === 'git' ? readGit(from, this.#parts) : readLocal(from)
  }

  #folder(home: string): string {
    return join(this.#parts.folders.of(home), 'packages')
  }

  #recover(home: string, again = false): void {
    if (this.#recovered.has(home) && !again) return
    const ids = new Map(this.#parts.registry.list(home).map(({ local, id }) => [local, id]))
    recover(this.#folder(home), (local) => ids.get(local) ?? null)
    this.#recovered.add(home)
  }
}

function folderOf(record: PackageRecord, folder: string): string | null {
  if (isLinkedPage(record)) return null
  return record.folder ?? join(folder, record.local)
}

function recordOf({ local, type, about }: Inspected, source: PackageSource): PackageRecord {
  const { namespace, title, description, version, needs } = about
  return {
    local,
    name: about.name ?? source.name,
    namespace,
    type,
    entry: source.entry,
    linked: source.linked,
    folder: source.folder,
    id: randomId(),
    source: source.from,
    origin: source.origin,
    again: source.again,
    installedAt: new Date().toISOString(),
    title,
    description,
    version,
    default: about.default,
    needs,
  }
}

function randomId(): string {
  return randomBytes(8).toString('hex')
}
