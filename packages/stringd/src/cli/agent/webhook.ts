import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { connectAs } from './connect-as.ts'

/** `string webhook show|rotate` */
export async function runWebhookVerb(invocation: Invocation, config: Config): Promise<number> {
  const [verb = 'show', extra] = parseFlags(invocation.words.slice(1), {}).words
  if (extra !== undefined || (verb !== 'show' && verb !== 'rotate')) {
    throw usageError('Usage: string webhook show | rotate')
  }
  const client = await connectAs(invocation, config)
  await client.ready()
  const view = verb === 'show' ? await client.webhook.show() : await client.webhook.rotate()
  console.log(invocation.format === 'json' ? JSON.stringify(view) : view.webhook_url)
  return EXIT.ok
}
