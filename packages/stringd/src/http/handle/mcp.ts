import type { IncomingHttpHeaders } from 'node:http'
import { agentIdOf, DEFAULT_AGENT, type Failure, fail, parseTopic, replyBody } from '@string-os/protocol'
import { livesElsewhere } from '../../fleet/shared-agent.ts'
import { MCP_HEADERS, type McpAnswer, type McpHeaders } from '../../mcp/http-message.ts'
import { type Inbound, RPC_CODES, readMessage, rpcError } from '../../mcp/message.ts'
import { answerPlainCall } from '../../mcp/plain-call.ts'
import type { McpExec, ToolCall, ToolReply } from '../../mcp/tool.ts'
import type { WatchCaller } from '../../runtime/exec-call.ts'
import type { Agent } from '../../store/agents.ts'
import type { Exchange, Services } from '../route.ts'
import { sendEmpty, sendError, sendJson } from '../serve/respond.ts'
import { bodyWithNotice, mcpRules } from './exec-body.ts'
import { callerOf } from './watch-caller.ts'

/** One JSON-RPC message in, one JSON value out. The SDK is loaded by the first that needs it. */
export async function mcp(exchange: Exchange, services: Services): Promise<void> {
  const { request, response, json } = exchange
  const { 'x-agent-id': header } = request.headers
  const id = agentIdOf(header === undefined || header === '' ? DEFAULT_AGENT : header)
  if (!id.ok) return sendError(response, 400, id.error)
  if (!json.ok) return sendJson(response, 400, rpcError(null, RPC_CODES.parseError, `Parse error: ${json.error}`))
  const asking = new McpAgent(id.value, services, callerOf(exchange))
  const inbound = readMessage(json.value)
  const { status, body } = await answerFor(asking, inbound, mcpHeaders(request.headers), services)
  asking.throwFault()
  // First touch is what was served, not what was refused.
  if (asksOfAgent(inbound) && status < 300 && body !== null && !('error' in body)) {
    const touched = await asking.register()
    const status = touched.ok || touched.code === 'CONFLICT' ? 409 : 503
    if (!touched.ok) return sendError(response, status, `${touched.code}: ${touched.system}`)
  }
  if (body === null) sendEmpty(response, status)
  else sendJson(response, status, body)
}

/** A ping asks whether the daemon is there, and a call registers its agent when it runs. What is no request asks nothing. */
function asksOfAgent(inbound: Inbound): boolean {
  return inbound.kind === 'request' && inbound.message.method !== 'ping' && inbound.message.method !== 'tools/call'
}

async function answerFor(
  { exec }: McpAgent,
  inbound: Inbound,
  headers: McpHeaders,
  { version }: Services,
): Promise<McpAnswer> {
  const plain = await answerPlainCall(inbound, headers['mcp-protocol-version'], exec)
  if (plain !== null) return plain
  const { answer } = await import('../../mcp/index.ts')
  return answer(inbound, headers, { version, exec })
}

/** The agent that a request speaks for, which is registered when there is a reason to. */
class McpAgent {
  readonly #id: string
  readonly #services: Services
  readonly #watchCaller: WatchCaller
  #fault: { readonly error: unknown } | null = null

  constructor(id: string, services: Services, watchCaller: WatchCaller) {
    this.#id = id
    this.#services = services
    this.#watchCaller = watchCaller
  }

  async register(): Promise<{ ok: true; agent: Agent } | Failure> {
    const { agents, residence } = this.#services
    const known = agents.get(this.#id)
    if (known !== undefined) return { ok: true, agent: known }
    const bare = { agentId: this.#id, home: undefined, allowedPaths: undefined, profile: undefined }
    const other = await residence.takePlace(bare)
    return other === null
      ? residence.register(bare)
      : fail('CONFLICT', livesElsewhere(other), `Ask String on ${other.node}`)
  }

  readonly exec: McpExec = async (call) => {
    try {
      return await this.#run(call)
    } catch (error) {
      this.#fault = { error }
      throw error
    }
  }

  /** What is our own fault the SDK would tell the caller; it is for the log, and ends like that of any other route. */
  throwFault(): void {
    if (this.#fault !== null) throw this.#fault.error
  }

  async #run({ topic: written, cmd }: ToolCall): Promise<ToolReply> {
    const topic = parseTopic(written)
    if (topic === null) throw new TypeError(`Not a topic: ${written}`)
    const registered = await this.register()
    if (!registered.ok) return { ok: false, topic: topic.canonical, body: replyBody(registered) }
    const outcome = await this.#services.runtime.exec({
      agent: registered.agent,
      topic,
      command: cmd,
      cwd: null,
      ...mcpRules(),
      whenBusy: 'refuse',
      // A call whose connection is closed has been cancelled.
      cancelOnLeave: true,
      watchCaller: this.#watchCaller,
    })
    if (outcome.kind !== 'done') throw new Error(`A command that must not wait was answered ${outcome.kind}`)
    return { ok: outcome.result.ok, topic: outcome.topic.canonical, body: bodyWithNotice(outcome) }
  }
}

function mcpHeaders(headers: IncomingHttpHeaders): McpHeaders {
  const given = MCP_HEADERS.map((name) => [name, headers[name]?.toString()] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}
