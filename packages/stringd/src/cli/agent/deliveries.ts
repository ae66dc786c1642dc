import { DELIVERY_STATES, type DeliveryView, visibleLine } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { connect } from '../daemon/connect.ts'
import { EXIT, usageError } from '../exit.ts'
import { oneOf, parseFlags } from '../flags.ts'
import { noneFound, tellSetAside } from '../none-found.ts'
import { dim, red } from '../terminal/color.ts'
import { lookOf, type StreamLook } from '../terminal/look.ts'
import { type Column, layTable } from '../terminal/table.ts'
import { clockTime } from '../turns/time.ts'
import { checkAgent } from './known-agent.ts'
import { namedAgent } from './named-agent.ts'

/** `--all` is what it does alone: it was not always so. */
const OPTIONS = { all: { type: 'boolean' }, state: { type: 'string' } } as const

const COLUMNS: readonly (Column & { readonly cell: (delivery: DeliveryView, now: number) => string })[] = [
  { title: 'TIME', most: 11, drop: 1, cell: ({ created_at }, now) => clockTime(created_at, now) },
  { title: 'AGENT', most: 16, drop: 2, cell: ({ agent_id }) => agent_id },
  { title: 'TO', most: 40, cell: ({ channel, target }) => `${channel}:${visibleLine(target)}` },
  { title: 'STATE', most: 8, cell: ({ state }) => state },
  { title: 'TRIES', most: 5, isNumber: true, drop: 4, cell: ({ tries }) => String(tries) },
  {
    title: 'NEXT TRY',
    most: 11,
    drop: 3,
    cell: ({ next_at }, now) => (next_at === null ? '' : clockTime(next_at, now)),
  },
  { title: 'REASON', most: 200, cell: ({ reason }) => visibleLine(reason ?? '') },
]

/** `string deliveries [AGENT] [--state STATE]`: what became of the messages that every agent, or one, sent to other channels. */
export async function runDeliveriesVerb(
  { words, format, agent: flagged }: Invocation,
  config: Config,
): Promise<number> {
  const { values, words: others } = parseFlags(words.slice(1), OPTIONS)
  const state = values.state === undefined ? undefined : oneOf('state', values.state, DELIVERY_STATES)
  const agent = namedAgent(others, flagged) ?? undefined
  if (values.all && agent !== undefined) throw usageError(`Either --all or ${agent}`)
  const client = await connect(config)
  const list: DeliveryView[] = await client.outbox.list({ agent, state })
  // Nothing was found for a name that may be mistyped.
  if (list.length === 0 && agent !== undefined) await checkAgent(client, agent)
  if (list.length === 0) tellSetAside(config, 'state.db')
  if (format === 'json') console.log(JSON.stringify(list))
  else if (list.length > 0) console.log(deliveryTable(list, lookOf(process.stdout, config)))
  else console.log(noneFound({ what: 'deliveries', verb: 'deliveries', first: NONE }, { agent, state }))
  return EXIT.ok
}

const NONE = 'No deliveries yet; messages to channels such as mail make them. Those to other agents are their events'

function deliveryTable(list: readonly DeliveryView[], { color, width }: StreamLook): string {
  const now = Date.now()
  const rows = list.map((delivery) => COLUMNS.map(({ cell }) => cell(delivery, now)))
  const { head, line } = layTable(COLUMNS, rows, { width })
  const lines = rows.map((cells, at) => (list[at]?.state === 'failed' ? red(line(cells), color) : line(cells)))
  return [dim(head, color), ...lines].join('\n')
}
