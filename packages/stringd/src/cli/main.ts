import { DEFAULT_TOPIC, isHub } from '@string-os/protocol'
import { type Config, ConfigError, parsePort, readConfig } from '../config.ts'
import { endWithoutReader } from '../lost-reader.ts'
import { VERSION } from '../version.ts'
import { speakingAgent } from './agent/named-agent.ts'
import { type Invocation, parseInvocation } from './arguments.ts'
import { asCliError } from './daemon/connect.ts'
import { EXIT, isCliError } from './exit.ts'
import { failureData, wantsJson } from './failure-data.ts'
import { asksForHelp, type Called, checkSubverb, findVerb } from './find-verb.ts'
import { fitHelp, fitLines, overview, usageLines, verbHelp } from './help.ts'
import { hideArguments } from './hide-arguments.ts'
import { asCalled, programName } from './program-name.ts'
import { refuseSlip } from './refuse-slip.ts'
import { runCommand } from './run/run-command.ts'
import { hasPromptPlace, whyNoPrompt } from './terminal/prompt-place.ts'
import { prose } from './terminal/prose.ts'
import type { Program } from './verb-row.ts'
import { VERBS } from './verbs.ts'

async function main(program: Program, args: readonly string[]): Promise<number> {
  const invocation = helpAsked(parseInvocation(args, VERBS))
  if (invocation.version) return print(`${VERSION}\n`)
  const { daemon, words, topic, help, mcp } = invocation
  const called = topic === null ? findVerb(VERBS, words) : null
  if (help && called === null && mayBeVerb(invocation)) {
    const { runHelpVerb } = await import('./help-verb.ts')
    return runHelpVerb({ ...invocation, words: ['help', ...words] }, readConfig(), program)
  }
  if (help || (called?.row.ownFlags === true && asksForHelp(called, words)))
    return print(fitHelp(helpOf(program, called)))
  const isBare = words.length === 0 && topic === null && daemon === null && !mcp
  if (called !== null && lacksSubverb(called, invocation)) {
    print(fitHelp(helpOf(program, called)))
    return EXIT.usage
  }
  if (isBare && !isInteractive(invocation)) {
    print(fitHelp(overview(program)))
    const why = whyNoPrompt()
    if (why !== null) process.stderr.write(`${program.name}: ${why}\n`)
    return EXIT.usage
  }
  const config = configure(invocation, called)
  if (daemon !== null) return (await import('./daemon/verb.ts')).runDaemonVerb(invocation, config)
  if (mcp) return (await import('./mcp/serve.ts')).runMcp(invocation, config)
  if (called === null) {
    if (topic === null) await refuseSlip(words, VERBS, config)
    return runCommand(invocation, config, {
      isInteractive: isInteractive(invocation),
      verbs: VERBS.map(({ name }) => name),
    })
  }
  checkSubverb(called, words.slice(1), VERBS)
  return (await called.row.load())(invocation, config, program)
}

/** `string help /NAME` and `string /NAME --help` are about a command of topics, which `/help` tells of. */
function helpAsked(invocation: Invocation): Invocation {
  const { words, topic, help } = invocation
  const [first = '', second = ''] = words
  const about = help && words.length === 1 ? first : first === 'help' && words.length === 2 ? second : ''
  const name = topic === null ? /^\/\/?([\w.:-]+)$/.exec(about)?.[1] : undefined
  return name === undefined ? invocation : { ...invocation, words: ['/help', name], help: false }
}

/** A topic has no help of ours: who names one by its kind, or one that everybody has, gets that of all. */
function mayBeVerb({ words: [word = ''], topic }: Invocation): boolean {
  return topic === null && /^[\w.-]+$/.test(word) && word !== '-' && word !== DEFAULT_TOPIC.canonical && !isHub(word)
}

function helpOf(program: Program, called: Called | null): string {
  return called === null ? overview(program) : verbHelp(called.row, called.sub, program.name)
}

/** Who types only the name of what does several things wants to know them; a program is told that it went wrong. */
function lacksSubverb({ row }: Called, { words, format }: Invocation): boolean {
  return row.subverbs !== undefined && row.actsAlone !== true && words.length === 1 && format === null
}

/** Somebody sits in front of it, and has not asked for a form that programs read. */
function isInteractive({ format }: Invocation): boolean {
  return format === null && hasPromptPlace()
}

function configure(invocation: Invocation, called: Called | null): Config {
  const config = readConfig()
  const { port } = invocation
  return {
    ...config,
    agent: speakingAgent(invocation.agent, config.agent),
    port: port === null ? config.port : parsePort(port, '--port'),
    mayStart: called?.row.daemon === undefined,
  }
}

function print(text: string): number {
  process.stdout.write(text)
  return EXIT.ok
}

/** What went wrong, for a person; of wrong usage also how it is written, and where help is. */
function complaint(error: Error, args: readonly string[], program: Program): string {
  const hint = complaintHint(error, args, program)
  const usage = hint === null ? [] : usageLines(calledBy(args))
  const said = [`${program.name}: ${error.message}`, ...usage, ...(hint === null ? [] : [hint])]
  return fitLines(`${asCalled(said.join('\n'), program.name)}\n`, process.stderr)
}

function complaintHint(error: Error, args: readonly string[], { name }: Program): string | null {
  // Where help is said already, it is not said twice.
  if (!(isCliError(error) && error.isUsage) || / --help\b/.test(error.message)) return null
  const called = calledBy(args)
  const typed = [called?.row.name, called?.sub?.name].filter((word) => word !== undefined)
  return asCalled(`${['string', ...typed, '--help'].join(' ')} shows how it is used`, name)
}

/** The verb that was typed, also where its flags cannot be read. */
function calledBy(args: readonly string[]): Called | null {
  const called = findVerb(
    VERBS,
    args.filter((arg) => !arg.startsWith('-')),
  )
  return called?.row.hidden === true ? null : called
}

const [, script = '', ...args] = process.argv
const program: Program = { name: programName(script), verbs: VERBS }
hideArguments(args)
endWithoutReader(program.name)
main(program, args).then(
  (status) => {
    process.exitCode = status
  },
  (thrown: unknown) => {
    const error = asCliError(thrown)
    if (!(isCliError(error) || error instanceof ConfigError)) throw error
    const status = isCliError(error) ? error.status : EXIT.usage
    if (wantsJson(args))
      process.stdout.write(`${JSON.stringify(failureData(error, status, complaintHint(error, args, program)))}\n`)
    process.stderr.write(prose(complaint(error, args, program), process.stderr))
    process.exitCode = status
  },
)
