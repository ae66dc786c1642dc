import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { findVerb, flagTable } from '../find-verb.ts'
import { parseFlags } from '../flags.ts'
import { verbFormat } from '../run/output.ts'
import { runCommand } from '../run/run-command.ts'
import type { Program } from '../verb-row.ts'

/** What is done for an agent is a command of a topic: what is written behind the verb is handed on. */
const COMMANDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['install', ['main', '/install']],
  ['update', ['main', '/install', '--update']],
  ['remove', ['main', '/uninstall']],
  // In the topic of apps, so that what is open in another one stays.
  ['list', ['app', '/open', 'app']],
])

/** `string app install|list|update|remove`; the others are for authors, and need no daemon. */
export async function runAppVerb(invocation: Invocation, config: Config, program: Program): Promise<number> {
  const { words, format } = invocation
  const sub = findVerb(program.verbs, words)?.sub ?? null
  const command = COMMANDS.get(sub?.name ?? '')
  if (command === undefined) return (await import('../app-verbs.ts')).runAuthorVerb(invocation, config, program)
  // What is misspelt is said before a daemon is started.
  parseFlags(words.slice(2), flagTable(sub?.flags ?? []))
  const asked = { ...invocation, words: [...command, ...words.slice(2)], format: verbFormat(format) }
  return runCommand(asked, config)
}
