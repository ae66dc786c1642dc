import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StringClient } from '@string-os/client'
import { type FleetView, type NodeView, quoted } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { connect, connectPatiently, untilInterrupted } from '../daemon/connect.ts'
import { CliError, EXIT, usageError } from '../exit.ts'
import { FOLLOW, parseFlags } from '../flags.ts'
import { lookOf } from '../terminal/look.ts'
import { nodeTable } from './node-table.ts'

const OPTIONS = {
  follow: FOLLOW,
  home: { type: 'string' },
  now: { type: 'boolean' },
} as const

const LOOK_MS = 500

interface Shown {
  readonly isJson: boolean
  readonly width: number | null
}

/** `string fleet`: the nodes that share a store, and what this one takes and has. */
export async function runFleetVerb(invocation: Invocation, config: Config): Promise<number> {
  const { values, words } = parseFlags(invocation.words.slice(1), OPTIONS)
  const [subverb, ...rest] = words
  const shown = { isJson: invocation.format === 'json', width: lookOf(process.stdout, config).width }
  const [extra] = subverb === 'move' ? rest.slice(2) : rest
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)}`)
  if (subverb === undefined && values.follow) return follow(config, shown)
  const client = await connect(config)
  if (subverb === 'drain') return drain(client, shown)
  if (subverb === 'resume') return tell(await client.fleet.resume(), shown)
  if (subverb === 'move') return move(client, rest, values, shown)
  if (subverb !== undefined) throw usageError(`Unknown: string fleet ${quoted(subverb)}`)
  return tell(await client.fleet.nodes(), shown)
}

function tell({ nodes }: FleetView, { isJson, width }: Shown): number {
  console.log(isJson ? JSON.stringify(nodes) : nodeTable(nodes, width))
  return EXIT.ok
}

/** Again whenever something has changed, until Ctrl-C. */
async function follow(config: Config, shown: Shown): Promise<number> {
  const signal = untilInterrupted()
  const client = await connectPatiently(config, signal)
  if (client === null) return EXIT.ok
  let before = ''
  for await (const news of client.watch({ signal })) {
    if (news.type === 'ping' || (news.type === 'change' && news.kind !== 'node')) continue
    const fleet = await client.fleet.nodes()
    const now = JSON.stringify(
      fleet.nodes.map((node: NodeView) => ({ ...node, heartbeat_age_s: 0, oldest_waiting_s: 0 })),
    )
    if (now === before) continue
    if (before !== '' && !shown.isJson) console.log()
    before = now
    tell(fleet, shown)
  }
  return EXIT.ok
}

/** Waits for what runs. */
async function drain(client: StringClient, shown: Shown): Promise<number> {
  const { isJson } = shown
  let view = await client.fleet.drain()
  for (let told = -1; ; view = await client.fleet.nodes()) {
    const running = here(view)?.running ?? 0
    if (running === 0) break
    if (running !== told && !isJson) console.error(`${running} turns run still`)
    told = running
    await sleep(LOOK_MS)
  }
  if (!isJson) console.error(`${view.node} takes no new turns; string fleet resume, or a restart, ends that`)
  return tell(view, shown)
}

function here({ nodes }: FleetView): NodeView | undefined {
  return nodes.find((node) => node.here)
}

async function move(
  client: StringClient,
  [agent, node]: readonly string[],
  { home, now }: { home?: string | undefined; now: boolean },
  { isJson }: Shown,
): Promise<number> {
  if (agent === undefined || node === undefined) throw usageError('string fleet move AGENT NODE')
  const { node: own } = await client.fleet.nodes()
  if (node !== own)
    throw new CliError(
      EXIT.commandError,
      `This node is ${own}, not ${quoted(node)}: an agent is moved on the node where it shall live; string fleet lists them`,
    )
  const options = { now, ...(home === undefined ? {} : { home: resolve(home) }) }
  const moved = await client.fleet.move(agent, options)
  const { from, to, home: at, waiting } = moved
  const what =
    from === to
      ? `${agent} lives on ${to} already, in ${at}`
      : `${agent} lives on ${to} now, in ${at}; ${waiting} turns wait for it. It lived on ${from}`
  console.log(isJson ? JSON.stringify(moved) : what)
  return EXIT.ok
}
