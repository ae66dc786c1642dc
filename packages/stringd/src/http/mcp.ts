import { agentIdOf, LIMITS, parseTopic, replyBody } from '@string-os/protocol'
import type { McpHeaders } from '../mcp/http-message.ts'
import { RPC_CODES, readMessage, rpcError } from '../mcp/message.ts'
import { answerPlainCall } from '../mcp/plain-call.ts'
import type { McpExec } from '../mcp/tool.ts'
import type { Agent } from '../store/agents.ts'
import { sendEmpty, sendError, sendJson } from './respond.ts'
import type { Exchange, Services } from './route.ts'

/** What holds for a command that came through MCP: its clients wait for a minute and try again by themselves. */
export const MCP_RULES = { whenBusy: 'refuse', execMs: LIMITS.mcpExecMs } as const

/** One JSON-RPC message in, one JSON value out. The SDK is loaded by the first that needs it. */
export async function mcp({ request, response, json }: Exchange, services: Services): Promise<void> {
  const { 'x-agent-id': header } = request.headers
  const id = agentIdOf(header === undefined || header === '' ? 'default' : header)
  if (!id.ok) return sendError(response, 400, id.error)
  if (!json.ok) return sendJson(response, 400, rpcError(null, RPC_CODES.parseError, `Parse error: ${json.error}`))
  const agent = (): Promise<Agent> | Agent => services.agents.get(id.value) ?? register(services, id.value)
  const inbound = readMessage(json.value)
  const headers = mcpHeaders(request.headers)
  const exec = execFor(agent, services)
  const { status, body } =
    (await answerPlainCall(inbound, headers['mcp-protocol-version'], exec)) ??
    (await (await import('../mcp/index.ts')).answer(inbound, headers, { version: services.version, exec }))
  // First touch is what was served, not what was refused.
  if (status < 300 && (body === null || !('error' in body))) await agent()
  if (body === null) sendEmpty(response, status)
  else sendJson(response, status, body)
}

function execFor(agent: () => Promise<Agent> | Agent, { runtime }: Services): McpExec {
  return async ({ topic: written, cmd }) => {
    const topic = parseTopic(written)
    if (topic === null) throw new TypeError(`Not a topic: ${written}`)
    const outcome = await runtime.exec({ agent: await agent(), topic, command: cmd, cwd: null, ...MCP_RULES })
    if (outcome.kind !== 'done') throw new Error(`A command that must not wait was answered ${outcome.kind}`)
    return { ok: outcome.result.ok, topic: outcome.topic.canonical, body: replyBody(outcome.result) }
  }
}

async function register({ agents }: Services, agentId: string): Promise<Agent> {
  const nothing = { home: undefined, allowedPaths: undefined, profile: undefined }
  return (await agents.register({ agentId, ...nothing })).agent
}

function mcpHeaders(headers: Exchange['request']['headers']): McpHeaders {
  const one = (name: keyof McpHeaders): string | undefined => headers[name]?.toString()
  return {
    'mcp-protocol-version': one('mcp-protocol-version'),
    'mcp-method': one('mcp-method'),
    'mcp-name': one('mcp-name'),
  }
}
