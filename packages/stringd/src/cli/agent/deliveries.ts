import { DELIVERY_STATES, type DeliveryState, type DeliveryView, quoted, visibleLine } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { connect } from '../daemon/connect.ts'
import { EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { wholeTime } from '../turns/time.ts'
import { checkAgent } from './known-agent.ts'
import { namedAgent } from './named-agent.ts'

/** `string deliveries [AGENT | --all] [--state STATE]`: what became of the messages that an agent, or every one, sent to other channels. */
export async function runDeliveriesVerb(
  { words, format, agent: flagged }: Invocation,
  config: Config,
): Promise<number> {
  const { values, words: others } = parseFlags(words.slice(1), { all: { type: 'boolean' }, state: { type: 'string' } })
  const { all } = values
  const state = stateOf(values.state)
  const agent = namedAgent(others, flagged) ?? config.agent
  if (all && others.length > 0) throw usageError('Either one agent or --all')
  const client = await connect(config)
  const list: DeliveryView[] = await client.outbox.list({ agent: all ? undefined : agent, state })
  // Nothing was found for a name that may be mistyped.
  if (list.length === 0 && !all) await checkAgent(client, agent)
  if (format === 'json') console.log(JSON.stringify(list))
  else console.log(list.length === 0 ? 'No deliveries' : list.map((delivery) => row(delivery, all)).join('\n'))
  return EXIT.ok
}

function stateOf(written: string | undefined): DeliveryState | undefined {
  if (written === undefined) return undefined
  const state = DELIVERY_STATES.find((each) => each === written)
  if (state === undefined) throw usageError(`--state is one of ${DELIVERY_STATES.join(', ')}, not: ${quoted(written)}`)
  return state
}

function row({ agent_id, channel, target, state, created_at, next_at, reason }: DeliveryView, all: boolean): string {
  const who = all ? `${agent_id}  ` : ''
  const why = reason === null ? '' : `: ${visibleLine(reason)}`
  const next = next_at === null ? '' : `, next try ${wholeTime(next_at)}`
  return `${wholeTime(created_at)}  ${who}${channel}:${visibleLine(target)}  ${state}${why}${next}`
}
