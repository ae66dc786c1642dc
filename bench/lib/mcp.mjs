import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** The official client on a server's `/mcp`, as it is when nothing else is asked for. */
export async function connectMcp(port) {
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)))
  return client
}
