import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { EXIT, usageError } from '../exit.ts'

const HELP = `string bridge: agents that are programs, one turn at a time

  string bridge init [DIR]        write a profile and a small agent that works at once
  string bridge check FILE        is the profile sound, and what would run?
  string bridge run --profile FILE --message TEXT
    -m, --message TEXT   what to say; - reads it from standard input
    --session NAME       which conversation (default)      --new              begin it anew
    --session-id ID      instead of the stored one         --from USER        who speaks
    --image URL, --file URL, --attachment JSON             what comes along; may be repeated
    --cwd DIR            where the agent runs, whatever its profile says
    --json               a line of JSON per part, and at last the result

The exit status of run is the agent's: 0 ok, 124 out of time, 130 cancelled, 2 a refused profile or message.
`

type BridgeVerb = (args: readonly string[], invocation: Invocation, config: Config) => Promise<number>

const VERBS: ReadonlyMap<string, () => Promise<BridgeVerb>> = new Map([
  ['run', async (): Promise<BridgeVerb> => (await import('./run.ts')).bridgeRun],
  ['check', async (): Promise<BridgeVerb> => (await import('./check.ts')).bridgeCheck],
  ['init', async (): Promise<BridgeVerb> => (await import('./init.ts')).bridgeInit],
])

/** `string bridge run|check|init` */
export async function runBridgeVerb(invocation: Invocation, config: Config): Promise<number> {
  const [, name = '', ...args] = invocation.words
  if (name === '--help' || name === '-h' || args[0] === '--help' || args[0] === '-h') {
    process.stdout.write(HELP)
    return EXIT.ok
  }
  const verb = VERBS.get(name)
  if (verb === undefined) throw usageError('Usage: string bridge run | check | init; string bridge --help shows more')
  return (await verb())(args, invocation, config)
}
