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

/** `string app init|check|pack` */
export async function runAppVerb(
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
  throw verb === '' ? usageError(USAGE) : noSuchVerb(verb, path)
}

const USAGE = 'What about apps? It is one of: init, check, pack'

/** What other programs have as verbs, and String as commands: it is done for an agent. */
const COMMANDS: readonly (readonly [words: readonly string[], command: string, what: string])[] = [
  [['install', 'add'], '/install', './DIR'],
  [['uninstall', 'remove', 'rm', 'delete'], '/uninstall', 'NAME'],
  [['update', 'upgrade'], '/install --update', 'NAME'],
  [['open', 'run', 'start'], '/open', 'app:NAME'],
]

function noSuchVerb(verb: string, given: string | undefined): CliError {
  const none = `There is no 'string app ${quoted(verb)}'.`
  if (['list', 'ls', 'show'].includes(verb)) return usageError(`${none} Did you mean: string '/open app'`)
  const [, command, what] = COMMANDS.find(([words]) => words.includes(verb)) ?? []
  if (command === undefined || what === undefined) return usageError(`${none} It is one of: init, check, pack`)
  const named = given === undefined || !/^[\w./:@#+-]+$/.test(given) ? what : what.replace(/NAME$|^\.\/DIR$/, given)
  return usageError(`${none} Did you mean: string '${command} ${named}'`)
}
