import { quoted } from '@string-os/protocol'
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
  const [first, second, third] = names
  const extra = verb === 'copy' ? third : second
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)}`)
  if (verb === 'check') return checkStore(first, { config, json })
  if (verb === 'backup') {
    if (first === undefined) throw usageError('Where to? Give the FILE that the copy goes into')
    return backupStore(first, { config, json })
  }
  if (verb !== 'copy') throw usageError('What about the store? It is one of: check, backup, copy')
  if (first === undefined || second === undefined) throw usageError('From where to where? Give two stores')
  return copyVerb(first, second, { config, json })
}
