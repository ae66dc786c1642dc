import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import type { Program } from '../verb-row.ts'
import { runCheck } from './check.ts'
import { runInit } from './init.ts'
import { runPack } from './pack.ts'

const OPTIONS = {
  tool: { type: 'boolean' },
  output: { type: 'string', short: 'o' },
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
  if (values.output !== undefined && verb !== 'pack') throw usageError('--output belongs to string app pack')
  if (verb === 'init') return runInit(asked, values.tool === true)
  if (verb === 'check') return runCheck(asked)
  if (verb === 'pack') return runPack(asked, values.output ?? null)
  throw usageError('Usage: string app init NAME [--tool] | check [PATH] | pack [PATH] [-o FILE]')
}
