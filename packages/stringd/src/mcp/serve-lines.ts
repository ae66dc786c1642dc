import type { Readable, Writable } from 'node:stream'
import type { McpServerFactory, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { LineTransport } from './line-transport.ts'
import { createMcpServer, type McpServerOptions } from './server.ts'

/** Something that happened for the agent, as its client is told about it. */
export interface ChannelEvent {
  readonly id: string
  readonly agentId: string
  readonly receivedAt: string
  readonly source: string
  readonly text: string
}

export interface LineServerOptions extends Pick<McpServerOptions, 'version' | 'exec'> {
  readonly input: Readable
  readonly output: Writable
  /** The events of the agent, from now on, until the signal. */
  readonly events: (signal: AbortSignal) => AsyncIterable<ChannelEvent>
}

const CHANNEL = {
  experimental: { 'claude/channel': {} },
  instructions:
    'Events of this agent arrive as channel messages. They stay pending until you send /events.ack ID in topic event.',
} as const

/** Serves one client over lines of text, in the era that it speaks, until its input ends. */
export async function serveLines({ input, output, version, exec, events }: LineServerOptions): Promise<void> {
  const transport = new LineTransport(input, output)
  const ended = new AbortController()
  const create: McpServerFactory = ({ era }) => {
    // Messages that nobody asked for exist only behind the handshake.
    if (era === 'modern') return createMcpServer({ version, exec })
    const server = createMcpServer({ version, exec, ...CHANNEL })
    server.oninitialized = () => void forward(events(ended.signal), server)
    return server
  }
  serveStdio(create, { transport })
  await transport.closed
  ended.abort()
}

/** Tells the client of each event; whether it was dealt with is the agent's to say. */
async function forward(events: AsyncIterable<ChannelEvent>, server: Server): Promise<void> {
  for await (const { id, agentId, receivedAt, source, text } of events) {
    const meta = { event_id: id, agent_id: agentId, event_source: source, received_at: receivedAt }
    await server.notification({ method: 'notifications/claude/channel', params: { content: text, meta } })
  }
}
