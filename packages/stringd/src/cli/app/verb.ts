import { randomBytes } from 'node:crypto'
import type { ExecResult } from '@string-os/client'
import { quoted } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import { shellWord } from '../../doctor/shell-word.ts'
import { connectAs } from '../agent/connect-as.ts'
import { type Invocation, joinCommand } from '../arguments.ts'
import { usageError } from '../exit.ts'
import { findVerb, flagTable } from '../find-verb.ts'
import { parseFlags } from '../flags.ts'
import { calledFor } from '../program-name.ts'
import { verbFormat } from '../run/output.ts'
import { runCommand } from '../run/run-command.ts'
import { inOwnTime } from '../turns/time.ts'
import type { Program, SubverbRow } from '../verb-row.ts'
import { workingDir } from '../working-dir.ts'
import { listPackages } from './list.ts'
import { outsideSource } from './outside-source.ts'
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
  checkWords(sub, words.slice(2), program)
  if (command === undefined) return listPackages(invocation, config)
  const reading = await readingOf(sub, invocation, config)
  const asked: Invocation = {
    ...invocation,
    words: [reading?.topic ?? MAIN, ...command, ...(reading?.words ?? words.slice(2))],
    cwd: reading?.folder ?? null,
    format: verbFormat(format),
  }
  const called = calledFor(agent, program.name)
  const asIn = (answer: ExecResult): ExecResult => ({ ...answer, topic: MAIN })
  const run = (): Promise<number> =>
    runCommand(asked, config, {
      isInteractive: false,
      verbs: [],
      opensNothing: reading === null,
      // For programs the answer stays what the command says.
      reworded: (answer) => (format === 'json' ? asIn(answer) : inOwnClock(inShell(asIn(answer), called))),
    })
  const close = async ({ topic }: Reading): Promise<void> => {
    await (await connectAs(invocation, config)).exec(topic, '/close')
  }
  return reading === null ? run() : withEnd(run, () => close(reading))
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

/** How the source of a package is read. */
interface Reading {
  readonly folder: string
  readonly words: readonly string[]
  /** A topic of its own, to which alone the folder is open. */
  readonly topic: string
}

/** A package that a person names is read, wherever it is: its folder is open until there is an answer, and to nothing else. */
async function readingOf(sub: SubverbRow, invocation: Invocation, config: Config): Promise<Reading | null> {
  if (sub.name !== 'install' && sub.name !== 'update') return null
  const topic = `install-${randomBytes(6).toString('hex')}`
  const args = invocation.words.slice(2)
  const [typed = ''] = parseFlags(args, flagTable(sub.flags ?? [])).words
  const cwd = workingDir(invocation.cwd)
  if (sub.name === 'install') {
    const { folder, source } = outsideSource(typed, cwd) ?? { folder: cwd, source: typed }
    return { folder, words: args.map((word) => (word === typed ? source : word)), topic }
  }
  const { data } = await (await connectAs(invocation, config)).exec(MAIN, joinCommand(['/info', typed]))
  const outside = typeof data?.source === 'string' ? outsideSource(data.source, cwd) : null
  return { folder: outside?.folder ?? cwd, words: args, topic }
}

/** When it was installed; whatever else looks like a time is of the package. */
function inOwnClock(answer: ExecResult): ExecResult {
  return { ...answer, content: answer.content.replace(/^Installed: \S+Z(?= \()/m, inOwnTime) }
}

/** As many as its usage names, which is one or none. */
function checkWords(
  { name, usage: [usage = ''], flags = [] }: SubverbRow,
  args: readonly string[],
  program: Pick<Program, 'name' | 'verbs'>,
): void {
  const verb = verbAsFlag(args, flags, program)
  if (verb !== null) {
    const words = args.filter((word) => !word.startsWith('-')).map(shellWord)
    throw usageError(`Unknown flag --${verb}. Did you mean '${[program.name, 'app', verb, ...words].join(' ')}'?`)
  }
  const { words } = parseFlags(args, flagTable(flags))
  const [needed] = /(?<= )[A-Z]+\b/.exec(usage.replace(/\[.*/, '')) ?? []
  if (needed !== undefined && (words[0] ?? '') === '') throw usageError(`app ${name} needs ${needed}`)
  const extra = words[needed === undefined ? 0 : 1]
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)}`)
}

/** A verb that was written as a flag of another, as it is one of `/install`. */
function verbAsFlag(
  args: readonly string[],
  flags: NonNullable<SubverbRow['flags']>,
  { verbs }: Pick<Program, 'verbs'>,
): string | null {
  const table = flagTable(flags)
  const beside = findVerb(verbs, ['app'])?.row.subverbs ?? []
  return beside.find(({ name }) => args.includes(`--${name}`) && table[name] === undefined)?.name ?? null
}
