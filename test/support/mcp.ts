import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import { type Place, STRING } from './cli.ts'

/** The two ways in which MCP is spoken: with a handshake, or with all that is to be known in each request. */
export const ERAS = ['legacy', 'modern'] as const
export type Era = (typeof ERAS)[number]

export interface McpClient {
  readonly client: Client
  /** Calls the one tool, which must answer with one text. */
  readonly call: (cmd: string, topic?: string) => Promise<{ text: string; isError: boolean }>
}

/** The official client on `/mcp`. */
export function httpClient(port: number, era: Era, agent?: string): Promise<McpClient> {
  const headers: Record<string, string> = agent === undefined ? {} : { 'X-Agent-Id': agent }
  const url = new URL(`http://127.0.0.1:${port}/mcp`)
  return connectMcp(new StreamableHTTPClientTransport(url, { requestInit: { headers } }), era)
}

/** The official client of a `string --mcp` of its own. */
export function stdioClient(place: Place, era: Era, args: readonly string[] = [], cwd = place.dir): Promise<McpClient> {
  const env = Object.fromEntries(
    Object.entries(place.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
  return connectMcp(
    new StdioClientTransport({ command: process.execPath, args: [STRING, '--mcp', ...args], cwd, env }),
    era,
  )
}

/** The official client on any transport. */
export async function connectMcp(transport: Transport, era: Era): Promise<McpClient> {
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' }
  const client = new Client({ name: 'string-tests', version: '1' }, { versionNegotiation: { mode } })
  onTestFinished(() => client.close())
  await client.connect(transport)
  const call: McpClient['call'] = async (cmd, topic) => {
    const { content, isError } = await client.callTool({ name: 'string', arguments: { cmd, topic } })
    const [first] = content
    if (content.length !== 1 || first?.type !== 'text') throw new Error(`Not one text: ${JSON.stringify(content)}`)
    return { text: first.text, isError: isError === true }
  }
  return { client, call }
}
