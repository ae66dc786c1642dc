import { connectMcp } from '../lib/mcp.mjs'
import { pinned } from '../lib/pin.mjs'
import { compare } from '../lib/rounds.mjs'

const BASE = new URL('../bases/mcp-server.mjs', import.meta.url)
const CALLS = 500
const CALL = { name: 'string', arguments: { topic: 'main', cmd: '/info' } }

export const mcpCall = {
  name: 'MCP tools/call p50',
  unit: 'µs',
  better: 'lower',
  bar: 1.1,
  dream: 0.7,
  async measure(context) {
    const daemon = await context.startDaemon()
    const client = await connectMcp(daemon.port)
    const { tools } = await client.listTools()
    const base = await context.startBase(BASE, { tool: tools[0], result: await client.callTool(CALL) })
    await client.close()
    const sides = {
      rounds: 11,
      better: 'lower',
      base: () => medianMicroseconds(base.port),
      ours: () => medianMicroseconds(daemon.port),
    }
    return pinned('together', [daemon, base], () => compare(sides))
  },
}

/** A client of its own for each round: one that goes on for thousands of calls warns of listeners that it gathers. */
async function medianMicroseconds(port) {
  const client = await connectMcp(port)
  const times = new Float64Array(CALLS)
  for (let index = 0; index < CALLS; index += 1) {
    const started = performance.now()
    await client.callTool(CALL)
    times[index] = performance.now() - started
  }
  await client.close()
  return times.sort()[CALLS / 2] * 1000
}
