import { type Health, LIMITS, type LimitsView } from '@string-os/protocol'
import { viewStore } from '../../store/view-store.ts'
import type { Exchange, Services } from '../route.ts'
import { sendJson } from '../serve/respond.ts'

/** Without its store the daemon runs, and serves what needs none: 503 is for those who watch it. */
export function health({ response }: Exchange, services: Services): void {
  const { agents, runtime, version, startedAt, commandMs, store } = services
  const { ok } = store.state()
  const body: Health = {
    ok,
    agents: agents.size,
    sessions: runtime.topicCount,
    version,
    pid: process.pid,
    started_at: startedAt,
    store: viewStore(store),
    limits: limitsOf(commandMs),
  }
  sendJson(response, ok ? 200 : 503, body)
}

function limitsOf(commandMs: number): LimitsView {
  return {
    agents: LIMITS.agents,
    sessions: LIMITS.topics,
    shells: LIMITS.shells,
    waiting_commands: LIMITS.queueWaiting,
    waiting_turns: LIMITS.turnsWaiting,
    waiting_approvals: LIMITS.approvalsWaiting,
    command_ms: commandMs,
    event_bytes: LIMITS.webhookBodyBytes,
    request_bytes: LIMITS.requestBodyBytes,
  }
}

export function shutdown({ response }: Exchange, services: Services): void {
  // Before the answer: whoever has read it must not find us still listening, and send us the next command.
  services.shutdown()
  sendJson(response, 200, { ok: true, message: 'stringd shutting down' }, { Connection: 'close' })
}
