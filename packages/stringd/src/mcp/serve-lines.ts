import type { Readable, Writable } from 'node:stream'
import type { McpServerFactory, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { EventView } from '@string-os/protocol'
import { instructionsFor } from './instructions.ts'
import { LineTransport } from './line-transport.ts'
import { createMcpServer, type McpServerOptions } from './server.ts'

export interface LineServerOptions extends Pick<McpServerOptions, 'version' | 'exec'> {
  readonly input: Readable
  readonly output: Writable
  /** The events of the agent, from now on, until the signal. */
  readonly events: (signal: AbortSignal) => AsyncIterable<EventView>
  /** Called when there will be no more of them although the client is still there. */
  readonly onEventsLost: (error: Error) => void
}

const CHANNEL = { 'claude/channel': {} } as const

/** Serves one client over lines of text, in the era that it speaks, until its input ends. */
export async function serveLines(options: LineServerOptions): Promise<void> {
  const { input, output, version, exec } = options
  const transport = new LineTransport(input, output)
  const ended = new AbortController()
  const create: McpServerFactory = ({ era }) => {
    // Messages that nobody asked for exist only behind the handshake.
    if (era === 'modern') return createMcpServer({ version, exec, instructions: instructionsFor(null, false) })
    const instructions = instructionsFor(transport.client, true)
    const server = createMcpServer({ version, exec, instructions, experimental: CHANNEL })
    server.oninitialized = once(() => void forward(options, server, ended.signal))
    return server
  }
  serveStdio(create, { transport })
  await transport.closed
  ended.abort()
}

/** Tells the client of each event; whether it was dealt with is the agent's to say. */
async function forward(
  { events, onEventsLost }: LineServerOptions,
  server: Server,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const { id, agentId, receivedAt, source, text } of events(signal)) {
      const meta = { event_id: id, agent_id: agentId, event_source: source, received_at: receivedAt }
      await server.notification({ method: 'notifications/claude/channel', params: { content: text, meta } })
    }
  } catch (error) {
    if (!signal.aborted) onEventsLost(error instanceof Error ? error : new Error(String(error)))
  }
}

/** A client may say twice that it is ready. */
function once(run: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) run()
    isDone = true
  }
}
