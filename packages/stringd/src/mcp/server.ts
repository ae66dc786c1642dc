import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { quoted } from '@string-os/protocol'
import { callTool, type McpExec, TOOL } from './tool.ts'

export interface McpServerOptions {
  readonly version: string
  readonly exec: McpExec
  /** What the server says about itself beyond its tool. */
  readonly instructions: string
  /** Capabilities outside the standard. */
  readonly experimental?: Record<string, Record<string, never>>
}

/** The server, whichever way its messages come: one tool over `exec`. */
export function createMcpServer({ version, exec, instructions, experimental }: McpServerOptions): Server {
  const server = new Server(
    { name: 'string', title: 'String', version },
    {
      capabilities: { tools: {}, ...(experimental === undefined ? {} : { experimental }) },
      instructions,
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools: [TOOL] }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    if (params.name !== TOOL.name)
      throw invalidParams(`Unknown tool: ${quoted(params.name)}; there is one, ${TOOL.name}`)
    const result = await callTool(params.arguments ?? {}, exec, mcpReq.signal)
    if (result === null) throw invalidParams('Arguments of string: "cmd" (a string) and perhaps "topic" (a string)')
    return result
  })
  return server
}

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
