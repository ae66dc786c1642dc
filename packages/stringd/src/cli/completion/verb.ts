import { quoted } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { SCRIPTS, SHELLS } from './scripts.ts'

/** `string completion bash|zsh|fish`: a script on standard output. */
export async function runCompletionVerb({ words }: Invocation, _config: Config): Promise<number> {
  const [name, extra] = parseFlags(words.slice(1), {}).words
  const shell = SHELLS.find((each) => each === name)
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)}`)
  if (name === undefined) throw usageError(`For which shell? It is one of: ${SHELLS.join(', ')}`)
  if (shell === undefined)
    throw usageError(`There is no completion for ${quoted(name)}. It is one of: ${SHELLS.join(', ')}`)
  process.stdout.write(SCRIPTS[shell])
  return EXIT.ok
}
