import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { backupStore } from './backup.ts'
import { checkStore } from './check.ts'
import { copyVerb } from './copy.ts'

const OPTIONS = { json: { type: 'boolean' } } as const

/** `string store check|backup|copy` */
export async function runStoreVerb({ words, format }: Invocation, config: Config): Promise<number> {
  const { values, words: others } = parseFlags(words.slice(1), OPTIONS)
  const json = values.json === true || format === 'json'
  const [verb, ...names] = others
  if (verb === 'check' && names.length <= 1) return checkStore(names[0], { config, json })
  if (verb === 'backup' && names.length === 1) return backupStore(names[0] ?? '', { config, json })
  if (verb === 'copy' && names.length === 2) return copyVerb(names[0] ?? '', names[1] ?? '', { config, json })
  throw usageError('Usage: string store check [NAME] | backup FILE | copy FROM TO')
}
