import type { ServerResponse } from 'node:http'
import {
  type ExecHead,
  type ExecRequest,
  encodeSse,
  headCommand,
  parseExecRequest,
  replyHead,
} from '@string-os/protocol'
import { type ExecOutcome, queueFailure } from '../runtime/exec-call.ts'
import type { Agent } from '../store/agents.ts'
import { callerOf } from './caller.ts'
import { callingAgent } from './calling-agent.ts'
import { bodyWithNotice, mcpDeadline } from './mcp.ts'
import { sendError, sendJson, sendStream } from './respond.ts'
import type { Exchange, Services } from './route.ts'

const DONE = encodeSse('done', {})

/** The hot path: one command in, three events out. */
export async function exec(exchange: Exchange, services: Services): Promise<void> {
  const { response, json } = exchange
  const agent = callingAgent(exchange, services)
  if (agent === null) return
  const request = json.ok ? parseExecRequest(json.value) : json
  if (!request.ok) return sendError(response, 400, request.error)
  const { cmd, topic, cwd, via, requestId, cancelOnLeave } = request.value
  const { runtime, heartbeat } = services
  const outcome = await runtime.exec({
    agent,
    topic,
    command: cmd,
    cwd,
    requestId,
    cancelOnLeave,
    ...(via === 'mcp' ? { deadline: mcpDeadline(), announce: true } : {}),
    watchCaller: callerOf(exchange),
    onStart: () => heartbeat.start(response),
  })
  heartbeat.stop(response)
  answer(response, agent, request.value, outcome)
}

function answer(response: ServerResponse, agent: Agent, request: ExecRequest, outcome: ExecOutcome): void {
  switch (outcome.kind) {
    case 'done':
      return sendStream(response, events(agent, request, outcome))
    case 'full':
    case 'timeout': {
      const { code, system } = queueFailure(agent.id, outcome.kind, outcome.topic)
      return sendJson(response, outcome.kind === 'full' ? 429 : 504, { error: code, message: system })
    }
    case 'left':
      return
  }
}

function events(agent: Agent, { cmd, requestId }: ExecRequest, outcome: ExecOutcome & { kind: 'done' }): string {
  const { result, topic, meta } = outcome
  const head: ExecHead = {
    ok: result.ok,
    code: result.code,
    cmd: headCommand(cmd),
    request_id: requestId,
    agent_id: agent.id,
    topic: topic.canonical,
    topic_type: topic.type,
    meta,
  }
  const content = `${replyHead(cmd, requestId)}\n${bodyWithNotice(outcome)}`
  return encodeSse('head', head) + encodeSse('content', content) + DONE
}
