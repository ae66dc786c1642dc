import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { appOf, type Failure, fail, LIMITS, type Topic } from '@string-os/protocol'
import { isDiskFull } from '../../store/disk-full.ts'
import { configFile, isVariableName, texts } from './config-file.ts'
import { type HomeFolders, keyOf } from './home-folders.ts'
import { entriesOf } from './json-object.ts'
import type { StateFile, StateFiles } from './state-file.ts'

/** Whose variables are meant: of everything, of an app, or of one configuration of it. */
export interface VariableScope {
  readonly home: string
  readonly app: string | null
  readonly config: string | null
  /** Where the package of that name comes from; null when none is installed. The next one of that name has variables of its own. */
  readonly origin: string | null
}

/** A package that is or was installed under a name. */
export interface VariableOwner {
  readonly home: string
  readonly app: string
  /** Null: all that ever were, where none is. */
  readonly origin: string | null
}

export interface StoredVariable {
  readonly name: string
  readonly level: Level
}

export type Level = 'global' | 'app' | 'config'

/** `app:NAME:CONFIG` has variables of its own; every other topic has those of the agent. */
export function scopeOf(
  home: string,
  topic: Pick<Topic, 'type' | 'canonical'>,
  originOf: (app: string) => string | null,
): VariableScope {
  const { name: app = null, config = null } = appOf(topic) ?? {}
  return { home, app, config, origin: app === null ? null : originOf(app) }
}

/** Persistent variables: `$NAME`, in files that only their owner can read. */
export class VariableStore {
  readonly #files: StateFiles
  readonly #folders: HomeFolders

  constructor(files: StateFiles, folders: HomeFolders) {
    this.#files = files
    this.#folders = folders
  }

  /** The value of the most specific scope that has one, and which scope that is. */
  find(scope: VariableScope, name: string): { readonly value: string; readonly level: Level } | null {
    for (const level of levelsOf(scope)) {
      const value = this.#read(scope, level).values.get(name)
      if (value !== undefined) return { value, level }
    }
    return null
  }

  /** What is visible in a scope, each name once, and the files that could not be read. */
  list(scope: VariableScope): { variables: readonly StoredVariable[]; damaged: readonly string[] } {
    const found = new Map<string, Level>()
    const damaged: string[] = []
    for (const level of levelsOf(scope)) {
      const state = this.#read(scope, level)
      if (state.damaged) damaged.push(this.#file(scope, level).path)
      for (const name of state.values.keys()) if (!found.has(name)) found.set(name, level)
    }
    const variables = [...found].map(([name, level]) => ({ name, level }))
    return { variables: variables.sort((a, b) => (a.name < b.name ? -1 : 1)), damaged }
  }

  /** All of them, or none when one is wrong. */
  async set(scope: VariableScope, values: ReadonlyMap<string, string>): Promise<Failure | null> {
    for (const [name, value] of values) {
      const refusal = refuse(name, value)
      if (refusal !== null) return refusal
    }
    let full = false
    const failure = await this.#change(scope, (env) => {
      const next = new Map([...env, ...values])
      full = next.size > LIMITS.variables
      return full ? env : next
    })
    if (failure !== null || !full) return failure
    return fail('LIMIT_REACHED', `There are at most ${LIMITS.variables} stored variables`, '/unset $NAME removes one')
  }

  /** Removes from the scope itself; what a wider scope holds stays. */
  async unset(scope: VariableScope, names: readonly string[]): Promise<Failure | null> {
    const own = this.#read(scope, levelOf(scope)).values
    const missing = names.find((name) => !own.has(name))
    if (missing !== undefined) return this.#notHere(scope, missing)
    return this.#change(scope, (env) => new Map([...env].filter(([name]) => !names.includes(name))))
  }

  /** The names that are stored for a package, in all its configurations. */
  ofPackage(owner: VariableOwner): string[] {
    const folders = this.#foldersOf(owner).flatMap((folder) => [folder, ...foldersIn(folder)])
    const files = folders.map((folder) => this.#files.read({ path: join(folder, 'env.json'), clean: cleanVariables }))
    return [...new Set(files.flatMap(({ values }) => [...values.keys()]))].sort()
  }

  /** Removes all that is stored for a package. */
  async forget(owner: VariableOwner): Promise<Failure | null> {
    try {
      for (const folder of this.#foldersOf(owner)) await rm(folder, { recursive: true, force: true })
      return null
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === undefined) throw error
      return fail(
        'LOAD_ERROR',
        `Not all stored variables of ${owner.app} were removed: the system reports ${code} for the data folder`,
        `Check who owns it (/open system names it), then: /uninstall --purge ${owner.app}`,
      )
    }
  }

  #foldersOf({ home, app, origin }: VariableOwner): string[] {
    const all = foldersIn(join(this.#folders.of(home), 'apps'))
    return all.filter((folder) => {
      const name = basename(folder)
      // Before there had to be a package, what was set for none was kept under its name alone.
      return origin === null ? name === app || name.startsWith(`${app}@`) : name === `${app}@${keyOf(origin)}`
    })
  }

  #notHere(scope: VariableScope, name: string): Failure {
    const wider = this.list(scope).variables.find((variable) => variable.name === name)?.level
    if (wider === undefined) return fail('UNDEFINED_VARIABLE', `$${name} is not stored`, '/set lists what is')
    const where = wider === 'app' ? `app:${scope.app}` : 'main'
    return fail(
      'UNDEFINED_VARIABLE',
      `$${name} is not stored in this topic`,
      `Use /unset $${name} in the topic ${where}`,
    )
  }

  async #change(
    scope: VariableScope,
    apply: (env: ReadonlyMap<string, string>) => ReadonlyMap<string, string>,
  ): Promise<Failure | null> {
    const level = levelOf(scope)
    const file = this.#file(scope, level)
    try {
      this.#folders.ensure(scope.home, folderOf(scope, level))
      await this.#files.change(file, (state) => {
        const env = level === 'global' ? (entriesOf(state.get('env')) ?? new Map<string, unknown>()) : new Map(state)
        const next = Object.fromEntries(apply(texts(env)))
        if (level === 'global') return void state.set('env', next)
        state.clear()
        for (const [name, value] of Object.entries(next)) state.set(name, value)
      })
      return null
    } catch (error) {
      return stateFailure(error, 'The variables were not stored')
    }
  }

  #read(scope: VariableScope, level: Level): { values: ReadonlyMap<string, string>; damaged: boolean } {
    const { values, damaged } = this.#files.read(this.#file(scope, level))
    const env = level === 'global' ? entriesOf(values.get('env')) : values
    return { values: texts(env ?? new Map()), damaged }
  }

  #file(scope: VariableScope, level: Level): StateFile {
    const folder = this.#folders.of(scope.home)
    if (level === 'global') return configFile(folder)
    return { path: join(folder, folderOf(scope, level), 'env.json'), clean: cleanVariables }
  }
}

/** What the system refused; whatever else was thrown is our own fault. */
export function stateFailure(error: unknown, what: string): Failure {
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined) throw error
  if (isDiskFull(error))
    return fail(
      'LOAD_ERROR',
      `${what}: no space is left; everything is as it was`,
      'Make room on the disk and send it again',
    )
  return fail(
    'LOAD_ERROR',
    `${what}: the system reports ${code} for the data folder; everything is as it was`,
    'Check who owns it (/open system names it), and that it can be written',
  )
}

function refuse(name: string, value: string): Failure | null {
  if (!isVariableName(name))
    return fail('INVALID_VARIABLE', `Not a variable name: $${name}`, 'A name is letters, digits and _, a letter first')
  if (value.length > LIMITS.variableChars)
    return fail(
      'TOO_LARGE',
      `$${name} is longer than ${LIMITS.variableChars} characters`,
      'Put it into a file, and set the variable to its path',
    )
  // A process cannot be given one, and a file could not keep half a character.
  if (value.includes('\0') || !value.isWellFormed())
    return fail('INVALID_VARIABLE', `The value of $${name} holds a NUL or half a character`, 'Give a text')
  return null
}

/** The most specific first. */
function levelsOf({ app, config }: VariableScope): Level[] {
  return [...(config === null ? [] : ['config' as const]), ...(app === null ? [] : ['app' as const]), 'global']
}

function levelOf(scope: VariableScope): Level {
  return levelsOf(scope)[0] ?? 'global'
}

/** No local name holds an @: what was set while nothing was installed, and each source, have a folder of their own. */
function folderOf({ app, config, origin }: VariableScope, level: Level): string {
  if (level === 'global') return ''
  const name = origin === null ? (app ?? '') : `${app}@${keyOf(origin)}`
  return join('apps', name, level === 'app' ? '' : (config ?? ''))
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
}

function cleanVariables(values: ReadonlyMap<string, unknown>): ReturnType<StateFile['clean']> {
  const variables = texts(values)
  return { values: new Map(variables), whole: variables.size === values.size }
}
