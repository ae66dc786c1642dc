import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

/** The official client on a server's `/mcp`, as it is when nothing else is asked for. */
export async function connectMcp(port) {
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)))
  return client
}

/** The same on a server that is a program. */
export async function connectProgram(path, args, cwd) {
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [path, ...args], cwd, stderr: 'ignore' }),
  )
  return client
}
