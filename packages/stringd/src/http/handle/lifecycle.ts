import type { Health } from '@string-os/protocol'
import type { Exchange, Services } from '../route.ts'
import { sendJson } from '../serve/respond.ts'

export function health({ response }: Exchange, { agents, runtime, version }: Services): void {
  const body: Health = { ok: true, agents: agents.size, sessions: runtime.topicCount, version, pid: process.pid }
  sendJson(response, 200, body)
}

export function shutdown({ response }: Exchange, services: Services): void {
  // Before the answer: whoever has read it must not find us still listening, and send us the next command.
  services.shutdown()
  sendJson(response, 200, { ok: true, message: 'stringd shutting down' }, { Connection: 'close' })
}
