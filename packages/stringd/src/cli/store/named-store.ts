import type { Config } from '../../config.ts'
import { parseStoreName, type StoreName } from '../../store/store-name.ts'
import { usageError } from '../exit.ts'

/** The store that is meant. A name is never shown: it may hold a password. */
export function namedStore(name: string, config: Config): StoreName {
  if (name === 'env') return config.store
  const parsed = parseStoreName(name)
  if (!parsed.ok) throw usageError(`A store is named wrongly: ${parsed.error}, or env for what STRING_STORE names`)
  return parsed.value
}
