import {
  type ExecAnswer,
  type ExecHead,
  type ExecRequest,
  encodeSse,
  headCommand,
  LIMITS,
  parseExecRequest,
  replyHead,
} from '@string-os/protocol'
import { type ExecOutcome, queueFailure } from '../../runtime/exec-call.ts'
import type { Agent } from '../../store/agents.ts'
import type { TextReply } from '../message.ts'
import type { Exchange, Services } from '../route.ts'
import { prefersJson } from '../serve/accept.ts'
import { sendBodyError } from '../serve/body-error.ts'
import { endJson, retryAfter, sendJson, sendStream } from '../serve/respond.ts'
import { callingAgent } from './calling-agent.ts'
import { documentMeta } from './document-meta.ts'
import { bodyWithNotice, mcpRules } from './exec-body.ts'
import type { AnswerForm } from './heartbeat.ts'
import { callerOf } from './watch-caller.ts'

const DONE = encodeSse('done', {})

/** The hot path: one command in, three events out, or one object for those who would rather have that. */
export async function postExec(exchange: Exchange, services: Services): Promise<void> {
  const { response, json } = exchange
  const agent = callingAgent(exchange, services)
  if (agent === null) return
  const request = json.ok ? parseExecRequest(json.value) : json
  if (!request.ok) return sendBodyError(exchange, request.error)
  const { cmd, topic, cwd, via, requestId, cancelOnLeave, waitMs, seen, atPrompt, styles, drawn, pagers } =
    request.value
  const { runtime, heartbeat } = services
  const form = prefersJson(exchange.request.headers.accept) ? 'json' : 'stream'
  const outcome = await runtime.exec({
    agent,
    topic,
    command: cmd,
    cwd,
    requestId,
    cancelOnLeave,
    shellWaitMs: waitMs,
    shellSeen: seen,
    shellAtPrompt: atPrompt,
    shellStyles: styles,
    shellDrawn: drawn,
    shellPagers: pagers,
    ...(via === 'mcp' ? mcpRules() : { mayHaveAll: true }),
    watchCaller: callerOf(exchange),
    onStart: () => heartbeat.start(response, form),
  })
  heartbeat.stop(response)
  answer(response, agent, request.value, outcome, form)
}

function answer(response: TextReply, agent: Agent, request: ExecRequest, outcome: ExecOutcome, form: AnswerForm): void {
  switch (outcome.kind) {
    case 'done':
      if (outcome.result.code === 'STORE_AWAY' && !response.headersSent)
        return sendJson(response, 503, { error: 'STORE_AWAY', message: outcome.result.system })
      if (form === 'json') return endJson(response, objectOf(agent, request, outcome))
      return sendStream(response, events(agent, request, outcome))
    case 'full':
    case 'timeout': {
      const { code, system, hints } = queueFailure(agent.id, outcome)
      const body = { error: code, message: system, next: hints.join('; ') }
      if (outcome.kind === 'timeout') return sendJson(response, 504, body)
      return sendJson(response, 429, body, retryAfter(LIMITS.queueRetrySecs))
    }
    case 'left':
      return
  }
}

type Done = ExecOutcome & { readonly kind: 'done' }

function events(agent: Agent, request: ExecRequest, outcome: Done): string {
  const { cmd, requestId } = request
  const content = `${replyHead(cmd, requestId)}\n${bodyWithNotice(outcome)}`
  return encodeSse('head', headOf(agent, request, outcome)) + encodeSse('content', content) + DONE
}

function objectOf(agent: Agent, request: ExecRequest, outcome: Done): ExecAnswer {
  return { ...headOf(agent, request, outcome), content: bodyWithNotice(outcome) }
}

function headOf(agent: Agent, { cmd, requestId }: ExecRequest, { result, topic, document }: Done): ExecHead {
  return {
    ok: result.ok,
    code: result.code,
    cmd: headCommand(cmd),
    request_id: requestId,
    agent_id: agent.id,
    topic: topic.canonical,
    topic_type: topic.type,
    meta: documentMeta(document),
    data: result.data ?? null,
    format: result.ok && result.isMarkdown === true ? 'markdown' : 'text',
  }
}
