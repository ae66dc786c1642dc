import { join } from 'node:path'
import { entriesOf } from './json-object.ts'
import { parseRecord } from './package-record.ts'
import type { StateFile } from './state-file.ts'

const NAME = /^[A-Za-z][A-Za-z0-9_]*$/

export function isVariableName(name: string): boolean {
  return NAME.test(name)
}

/** `config.json` in the folder of a home: variables of the agent under `env`, installed packages under `packages`. */
export function configFile(folder: string): StateFile {
  return { path: join(folder, 'config.json'), clean: cleanConfig }
}

/** Variables among what a file holds. */
export function texts(values: ReadonlyMap<string, unknown>): Map<string, string> {
  const isText = (entry: [string, unknown]): entry is [string, string] =>
    isVariableName(entry[0]) && typeof entry[1] === 'string'
  return new Map([...values].filter(isText))
}

/** What can be used of it; members that are not ours stay. */
function cleanConfig(config: ReadonlyMap<string, unknown>): ReturnType<StateFile['clean']> {
  const env = entriesOf(config.get('env') ?? {})
  const packages = entriesOf(config.get('packages') ?? {})
  const variables = texts(env ?? new Map())
  const records = [...(packages ?? [])].filter(([local, record]) => parseRecord(local, record) !== null)
  const values = new Map(config)
  if (config.has('env')) values.set('env', Object.fromEntries(variables))
  if (config.has('packages')) values.set('packages', Object.fromEntries(records))
  return { values, whole: variables.size === env?.size && records.length === packages?.size }
}
