import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { checkStore } from './check.ts'
import { copyVerb } from './copy.ts'

const HELP = `string store: where everything durable is kept

  string store check [NAME]       can it be used, and what should be changed? Changes nothing
  string store copy FROM TO       everything to an empty store; begun anew it goes on where it stopped
    --json                        the outcome as JSON

A store is sqlite:FOLDER (an absolute path: the data folder), postgres://USER@HOST/DATABASE, or env: what STRING_STORE
names, else the file in the data folder, which is also what check looks at without a NAME.

Leave the password out of arguments, which your shell remembers: it comes from PGPASSWORD or ~/.pgpass, or say env.
  string store copy sqlite:$HOME/.string/daemon env

copy wants both stores for itself: stop their daemons first (string --daemon stop). What it needs to know about how far it
is, it keeps in TO, which no daemon uses before the copy is whole.
Exit status: 0 it can be used, it was copied; 1 not; 2 wrong usage.
`

const OPTIONS = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const

/** `string store check|copy` */
export async function runStoreVerb({ words, format }: Invocation, config: Config): Promise<number> {
  const { values, words: others } = parseFlags(words.slice(1), OPTIONS)
  if (values.help === true) {
    process.stdout.write(HELP)
    return EXIT.ok
  }
  const json = values.json === true || format === 'json'
  const [verb, ...names] = others
  if (verb === 'check' && names.length <= 1) return checkStore(names[0], { config, json })
  if (verb === 'copy' && names.length === 2) return copyVerb(names[0] ?? '', names[1] ?? '', { config, json })
  throw usageError('Usage: string store check [NAME] | copy FROM TO; string store --help shows more')
}
