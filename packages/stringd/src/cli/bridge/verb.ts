import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { usageError } from '../exit.ts'

type BridgeVerb = (args: readonly string[], invocation: Invocation, config: Config) => Promise<number>

const VERBS: ReadonlyMap<string, () => Promise<BridgeVerb>> = new Map([
  ['run', async (): Promise<BridgeVerb> => (await import('./run.ts')).bridgeRun],
  ['check', async (): Promise<BridgeVerb> => (await import('./check.ts')).bridgeCheck],
  ['init', async (): Promise<BridgeVerb> => (await import('./init.ts')).bridgeInit],
])

/** `string bridge run|check|init` */
export async function runBridgeVerb(invocation: Invocation, config: Config): Promise<number> {
  const [, name = '', ...args] = invocation.words
  const verb = VERBS.get(name)
  if (verb === undefined) throw usageError('What about a profile? It is one of: init, check, run')
  return (await verb())(args, invocation, config)
}
