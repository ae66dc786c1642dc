import { quoted } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { VERSION } from '../../version.ts'
import type { Invocation } from '../arguments.ts'
import { runningDaemon } from '../daemon/find-daemon.ts'
import { EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { inOwnName } from '../program-name.ts'

/** `string version`: of this program, of the daemon that runs, and of Node. */
export async function runVersionVerb({ words, format }: Invocation, config: Config): Promise<number> {
  const [, extra] = parseFlags(words, {}).words
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)}`)
  const daemon = runningDaemon(config)?.version ?? null
  const other = daemon === null || daemon === VERSION ? '' : inOwnName(' (string restart replaces it)')
  const text = [`string ${VERSION}`, `stringd ${daemon ?? 'does not run'}${other}`, `node ${process.version}`].join(
    '\n',
  )
  console.log(format === 'json' ? JSON.stringify({ version: VERSION, daemon, node: process.version }) : text)
  return EXIT.ok
}
