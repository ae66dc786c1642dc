// The SDK's own way to serve one tool without sessions: a server and a transport for every request, a constant answer.
import { createServer } from 'node:http'
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import { Server } from '@modelcontextprotocol/server'

const { tool, result } = JSON.parse(process.argv[2])

const server = createServer((request, response) => {
  if (request.method === 'POST') void serve(request, response)
  else response.writeHead(405).end()
})
server.keepAliveTimeout = 65_000
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))

async function serve(request, response) {
  const mcp = new Server({ name: 'base', version: '1' }, { capabilities: { tools: {} } })
  mcp.setRequestHandler('tools/list', () => ({ tools: [tool] }))
  mcp.setRequestHandler('tools/call', () => result)
  const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true })
  await mcp.connect(transport)
  await transport.handleRequest(request, response)
}
