import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { connect } from '../daemon/connect.ts'
import { EXIT, usageError } from '../exit.ts'

/** `string webhook show|rotate` */
export async function runWebhookVerb({ words, format }: Invocation, config: Config): Promise<number> {
  const [, verb = 'show', extra] = words
  if (extra !== undefined || (verb !== 'show' && verb !== 'rotate')) {
    throw usageError('Usage: string webhook show | rotate')
  }
  const client = await connect(config)
  await client.ready()
  const view = verb === 'show' ? await client.webhook.show() : await client.webhook.rotate()
  console.log(format === 'json' ? JSON.stringify(view) : view.webhook_url)
  return EXIT.ok
}
