import type { ExecResult } from '@string-os/client'
import { quoted } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { shellWord } from '../../doctor/shell-word.ts'
import { connectAs } from '../agent/connect-as.ts'
import { type Invocation, joinCommand } from '../arguments.ts'
import { usageError } from '../exit.ts'
import { findVerb, flagTable } from '../find-verb.ts'
import { parseFlags } from '../flags.ts'
import { verbFormat } from '../run/output.ts'
import { runCommand } from '../run/run-command.ts'
import { inOwnTime } from '../turns/time.ts'
import type { Program, SubverbRow } from '../verb-row.ts'
import { workingDir } from '../working-dir.ts'
import { listPackages } from './list.ts'
import { type OutsideSource, outsideSource } from './outside-source.ts'
import { inShell } from './shell-steps.ts'

/** What is done for an agent is a command of a topic: what is written behind the verb is handed on. */
const COMMANDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['install', ['/install']],
  ['show', ['/info']],
  ['update', ['/install', '--update']],
  ['remove', ['/uninstall']],
])
const MAIN = 'main'

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
  const outside = await fromOutside(sub, invocation, config)
  const asked: Invocation = {
    ...invocation,
    words: [outside?.topic ?? MAIN, ...command, ...(outside?.words ?? words.slice(2))],
    cwd: outside?.folder ?? invocation.cwd,
    format: verbFormat(format),
  }
  const called = agent === null ? program.name : `${program.name} --agent ${shellWord(agent)}`
  const asIn = (answer: ExecResult): ExecResult => (outside === null ? answer : { ...answer, topic: MAIN })
  const run = (): Promise<number> =>
    runCommand(asked, config, {
      isInteractive: false,
      verbs: [],
      // For programs the answer stays what the command says.
      reworded: (answer) => (format === 'json' ? asIn(answer) : inOwnClock(inShell(asIn(answer), called))),
    })
  const close = async (): Promise<void> => {
    if (outside !== null) await (await connectAs(invocation, config)).exec(outside.topic, '/close')
  }
  return outside === null ? run() : withEnd(run, close)
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What was opened for this one call is closed however it ends. */
async function withEnd(run: () => Promise<number>, close: () => Promise<void>): Promise<number> {
  const stop = (name: NodeJS.Signals): void => {
    void close().finally(() => process.kill(process.pid, name))
  }
  for (const name of SIGNALS) process.once(name, stop)
  try {
    return await run()
  } finally {
    for (const name of SIGNALS) process.off(name, stop)
    await close()
  }
}

/** A package that a person names is read, wherever it is: its folder is open to a topic that is closed again with the answer. */
async function fromOutside(
  sub: SubverbRow,
  invocation: Invocation,
  config: Config,
): Promise<(OutsideSource & { readonly words: readonly string[] }) | null> {
  if (sub.name !== 'install' && sub.name !== 'update') return null
  const args = invocation.words.slice(2)
  const [typed = ''] = parseFlags(args, flagTable(sub.flags ?? [])).words
  const cwd = workingDir(invocation.cwd)
  if (sub.name === 'install') {
    const outside = outsideSource(typed, cwd)
    return outside && { ...outside, words: args.map((word) => (word === typed ? outside.source : word)) }
  }
  const { data } = await (await connectAs(invocation, config)).exec(MAIN, joinCommand(['/info', typed]), { cwd })
  const outside =
    typeof data?.source === 'string' && data.source.startsWith('/') ? outsideSource(data.source, cwd) : null
  return outside && { ...outside, words: args }
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
