import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { connectAs } from './connect-as.ts'
import { namedAgent } from './named-agent.ts'

/** `string webhook show|rotate [AGENT]` */
export async function runWebhookVerb(invocation: Invocation, config: Config): Promise<number> {
  const [verb = 'show', ...words] = parseFlags(invocation.words.slice(1), {}).words
  if (verb !== 'show' && verb !== 'rotate') throw usageError('It is one of: show, rotate')
  const agent = namedAgent(words, invocation.agent) ?? config.agent
  const client = await connectAs(invocation, { ...config, agent })
  await client.ready()
  const view = verb === 'show' ? await client.webhook.show() : await client.webhook.rotate()
  // What is printed may go into a file or a program: the sentence is for who reads along.
  if (verb === 'rotate' && invocation.format !== 'json')
    process.stderr.write('The old address is refused from now on: give this one to whoever posts\n')
  console.log(invocation.format === 'json' ? JSON.stringify(view) : view.webhook_url)
  return EXIT.ok
}
