import { quoted } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { type CliError, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import type { Program } from '../verb-row.ts'
import { runCheck } from './check.ts'
import { runInit } from './init.ts'
import { runPack } from './pack.ts'

const OPTIONS = {
  tool: { type: 'boolean' },
  output: { type: 'string', short: 'o' },
  // As some other programs call it.
  out: { type: 'string' },
} as const

/** `string app init|check|pack`, which need no daemon */
export async function runAuthorVerb(
  { words, format, cwd }: Invocation,
  _config: Config,
  program: Program,
): Promise<number> {
  const { values, words: others } = parseFlags(words.slice(1), OPTIONS)
  const [verb = '', path, ...more] = others
  const asked = { path, cwd, json: format === 'json', program: program.name }
  if (more.length > 0) throw usageError(`Too many arguments: ${more.join(' ')}`)
  if (values.tool === true && verb !== 'init') throw usageError('--tool belongs to string app init')
  const output = values.output ?? values.out
  if (output !== undefined && verb !== 'pack') throw usageError('--output belongs to string app pack')
  if (verb === 'init') return runInit(asked, values.tool === true)
  if (verb === 'check') return runCheck(asked)
  if (verb === 'pack') return runPack(asked, output ?? null)
  throw verb === '' ? usageError(`What about apps? ${VERBS}`) : noSuchVerb(verb, path)
}

const VERBS = 'It is one of: init, check, pack, install, list, show, update, remove'

function noSuchVerb(verb: string, given: string | undefined): CliError {
  const none = `There is no 'string app ${quoted(verb)}'.`
  if (!['open', 'run', 'start'].includes(verb)) return usageError(`${none} ${VERBS}`)
  const name = given !== undefined && /^[\w:-]+$/.test(given) ? given : 'NAME'
  return usageError(`${none} Did you mean: string app:${name} /open`)
}
