import type { Config } from '../../config.ts'
import { parseStoreName, type StoreName } from '../../store/store-name.ts'
import { usageError } from '../exit.ts'

/** The store that is meant, and which argument names it. What looks like an address is not shown: it may hold a password. */
export function namedStore(name: string, config: Config, argument: string): StoreName {
  if (name === 'env') return config.store
  const parsed = parseStoreName(name)
  if (parsed.ok) return parsed.value
  const shown = /^[\w.-]+$/.test(name) ? `${name} (${argument})` : argument
  throw usageError(`${shown} names no store: ${parsed.error}, or env for what STRING_STORE names`)
}
