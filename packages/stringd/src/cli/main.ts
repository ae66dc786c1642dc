import { type Config, ConfigError, isDumbTerminal, parsePort, readConfig } from '../config.ts'
import { endWithoutReader } from '../lost-reader.ts'
import { VERSION } from '../version.ts'
import { type Invocation, parseInvocation } from './arguments.ts'
import { asCliError } from './daemon/connect.ts'
import { EXIT, isCliError } from './exit.ts'
import { runCommand } from './run/run-command.ts'

type Verb = (invocation: Invocation, config: Config) => Promise<number>

/** What is not a command in a topic, loaded when it is asked for. */
const VERBS: ReadonlyMap<string, () => Promise<Verb>> = new Map([
  ['agent', async (): Promise<Verb> => (await import('./agent/verb.ts')).runAgentVerb],
  ['events', async (): Promise<Verb> => (await import('./agent/events.ts')).runEventsVerb],
  ['webhook', async (): Promise<Verb> => (await import('./agent/webhook.ts')).runWebhookVerb],
  ['mcp-config', async (): Promise<Verb> => (await import('./mcp/mcp-config.ts')).runMcpConfigVerb],
  ['bridge', async (): Promise<Verb> => (await import('./bridge-verbs.ts')).runBridgeVerb],
  ['chat', async (): Promise<Verb> => (await import('./bridge-verbs.ts')).runChatVerb],
  ['stop', async (): Promise<Verb> => (await import('./run/stop.ts')).runStopVerb],
  ['chanflow', async (): Promise<Verb> => (await import('./run/chanflow.ts')).runChanFlowVerb],
  ['turns', async (): Promise<Verb> => (await import('./turns/list.ts')).runTurnsVerb],
  ['turn', async (): Promise<Verb> => (await import('./turns/turn.ts')).runTurnVerb],
  ['usage', async (): Promise<Verb> => (await import('./turns/usage.ts')).runUsageVerb],
  ['deliveries', async (): Promise<Verb> => (await import('./agent/deliveries.ts')).runDeliveriesVerb],
])

async function main(): Promise<number> {
  const invocation = parseInvocation(process.argv.slice(2))
  if (invocation.version) return print(`${VERSION}\n`)
  const { daemon, words, help, mcp } = invocation
  const isBare = words.length === 0 && daemon === null && !mcp
  if (help || (isBare && !isInteractive(invocation))) {
    print((await import('./help.ts')).HELP)
    return help ? EXIT.ok : EXIT.usage
  }
  const config = configure(invocation)
  if (daemon !== null) return (await import('./daemon/verb.ts')).runDaemonVerb(daemon, invocation, config)
  if (mcp) return (await import('./mcp/serve.ts')).runMcp(invocation, config)
  const [first = '', second = ''] = words
  // A verb wins over a topic of the same name, unless a command follows.
  const verb = second.startsWith('/') ? undefined : VERBS.get(first)
  if (verb !== undefined) return (await verb())(invocation, config)
  return runCommand(invocation, config, isInteractive(invocation))
}

/** Somebody sits in front of it, and has not asked for a form that programs read. */
function isInteractive({ format }: Invocation): boolean {
  return format === null && process.stdin.isTTY && process.stdout.isTTY && !isDumbTerminal()
}

function configure({ agent, port }: Invocation): Config {
  const config = readConfig()
  return { ...config, agent: agent ?? config.agent, port: port === null ? config.port : parsePort(port, '--port') }
}

function print(text: string): number {
  process.stdout.write(text)
  return EXIT.ok
}

endWithoutReader('string')
main().then(
  (status) => {
    process.exitCode = status
  },
  (thrown: unknown) => {
    const error = asCliError(thrown)
    if (!(isCliError(error) || error instanceof ConfigError)) throw error
    process.stderr.write(`string: ${error.message}\n`)
    process.exitCode = isCliError(error) ? error.status : EXIT.usage
  },
)
