import type { ExecResult } from '@string-os/client'
import { quoted } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { shellWord } from '../../doctor/shell-word.ts'
import type { Invocation } from '../arguments.ts'
import { usageError } from '../exit.ts'
import { findVerb, flagTable } from '../find-verb.ts'
import { parseFlags } from '../flags.ts'
import { verbFormat } from '../run/output.ts'
import { runCommand } from '../run/run-command.ts'
import { inOwnTime } from '../turns/time.ts'
import type { Program, SubverbRow } from '../verb-row.ts'
import { listPackages } from './list.ts'
import { inShell } from './shell-steps.ts'

/** What is done for an agent is a command of a topic: what is written behind the verb is handed on. */
const COMMANDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['install', ['main', '/install']],
  ['show', ['main', '/info']],
  ['update', ['main', '/install', '--update']],
  ['remove', ['main', '/uninstall']],
])

/** `string app install|list|show|update|remove`; the others are for authors, and need no daemon. */
export async function runAppVerb(invocation: Invocation, config: Config, program: Program): Promise<number> {
  const { words, format, agent } = invocation
  const sub = findVerb(program.verbs, words)?.sub ?? null
  const command = COMMANDS.get(sub?.name ?? '')
  if (sub === null || (command === undefined && sub.name !== 'list'))
    return (await import('../app-verbs.ts')).runAuthorVerb(invocation, config, program)
  // What is misspelt is said before a daemon is started.
  checkWords(sub, words.slice(2))
  if (command === undefined) return listPackages(invocation, config)
  const asked = { ...invocation, words: [...command, ...words.slice(2)], format: verbFormat(format) }
  const called = agent === null ? program.name : `${program.name} --agent ${shellWord(agent)}`
  return runCommand(asked, config, {
    isInteractive: false,
    verbs: [],
    // For programs the answer stays what the command says.
    ...(format === 'json' ? {} : { reworded: (answer) => inOwnClock(inShell(answer, called)) }),
  })
}

/** When it was installed; whatever else looks like a time is of the package. */
function inOwnClock(answer: ExecResult): ExecResult {
  return { ...answer, content: answer.content.replace(/^Installed: \S+Z(?= \()/m, inOwnTime) }
}

/** As many as its usage names, which is one or none. */
function checkWords({ name, usage: [usage = ''], flags = [] }: SubverbRow, args: readonly string[]): void {
  const { words } = parseFlags(args, flagTable(flags))
  const [needed] = /(?<= )[A-Z]+\b/.exec(usage.replace(/\[.*/, '')) ?? []
  if (needed !== undefined && (words[0] ?? '') === '') throw usageError(`app ${name} needs ${needed}`)
  const extra = words[needed === undefined ? 0 : 1]
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)}`)
}
