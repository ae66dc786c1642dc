import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HttpError, type StringClient } from '@string-os/client'
import { type FleetView, type NodeView, quoted } from '@string-os/protocol'
import type { Config } from '../../config.ts'
import type { Invocation } from '../arguments.ts'
import { connect } from '../daemon/connect.ts'
import { CliError, EXIT, usageError } from '../exit.ts'
import { parseFlags } from '../flags.ts'
import { layNodes } from './node-table.ts'

const OPTIONS = {
  follow: { type: 'boolean' },
  home: { type: 'string' },
  now: { type: 'boolean' },
} as const

const LOOK_MS = 500
const FOLLOW_MS = 2_000

/** `string fleet`: the nodes that share a store, and what this one takes and has. */
export async function runFleetVerb(invocation: Invocation, config: Config): Promise<number> {
  const { values, words } = parseFlags(invocation.words.slice(1), OPTIONS)
  const [subverb, ...rest] = words
  const isJson = invocation.format === 'json'
  const [extra] = subverb === 'move' ? rest.slice(2) : rest
  if (extra !== undefined) throw usageError(`Too many arguments: ${quoted(extra)}`)
  const client = await connect(config)
  if (subverb === 'drain') return drain(client, isJson)
  if (subverb === 'resume') return tell(await client.fleet.resume(), isJson)
  if (subverb === 'move') return move(client, rest, values, isJson)
  if (subverb !== undefined) throw usageError(`Unknown: string fleet ${quoted(subverb)}`)
  return values.follow ? follow(client, isJson) : tell(await client.fleet.nodes(), isJson)
}

function tell({ nodes }: FleetView, isJson: boolean): number {
  console.log(isJson ? JSON.stringify(nodes) : layNodes(nodes))
  return EXIT.ok
}

/** Again whenever something has changed, until Ctrl-C. */
async function follow(client: StringClient, isJson: boolean): Promise<number> {
  for (let before = ''; ; await sleep(FOLLOW_MS)) {
    const { nodes } = await client.fleet.nodes()
    const now = JSON.stringify(nodes.map((node: NodeView) => ({ ...node, heartbeat_age_s: 0, oldest_waiting_s: 0 })))
    if (now !== before) console.log(isJson ? JSON.stringify(nodes) : `${layNodes(nodes)}\n`)
    before = now
  }
}

/** Waits for what runs. */
async function drain(client: StringClient, isJson: boolean): Promise<number> {
  let view = await client.fleet.drain()
  for (let told = -1; ; view = await client.fleet.nodes()) {
    const running = here(view)?.running ?? 0
    if (running === 0) break
    if (running !== told && !isJson) console.error(`${running} turns run still`)
    told = running
    await sleep(LOOK_MS)
  }
  if (!isJson) console.error(`${view.node} takes no new turns; string fleet resume, or a restart, ends that`)
  return tell(view, isJson)
}

function here({ nodes }: FleetView): NodeView | undefined {
  return nodes.find((node) => node.here)
}

async function move(
  client: StringClient,
  [agent, node]: readonly string[],
  { home, now }: { home?: string | undefined; now: boolean },
  isJson: boolean,
): Promise<number> {
  if (agent === undefined || node === undefined) throw usageError('string fleet move AGENT NODE')
  const { node: own } = await client.fleet.nodes()
  if (node !== own)
    throw new CliError(EXIT.commandError, `This node is ${own}: an agent is moved on the node where it shall live`)
  try {
    const options = { now, ...(home === undefined ? {} : { home: resolve(home) }) }
    const moved = await client.fleet.move(agent, options)
    const { from, to, home: at, waiting } = moved
    const what =
      from === to
        ? `${agent} lives on ${to} already, in ${at}`
        : `${agent} lives on ${to} now, in ${at}; ${waiting} turns wait for it. It lived on ${from}`
    console.log(isJson ? JSON.stringify(moved) : what)
    return EXIT.ok
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    throw new CliError(EXIT.commandError, error.message)
  }
}
