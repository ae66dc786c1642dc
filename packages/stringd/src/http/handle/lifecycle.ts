import type { Health } from '@string-os/protocol'
import { viewStore } from '../../store/view-store.ts'
import type { Exchange, Services } from '../route.ts'
import { sendJson } from '../serve/respond.ts'

/** Without its store the daemon runs, and serves what needs none: 503 is for those who watch it. */
export function health({ response }: Exchange, { agents, runtime, version, store }: Services): void {
  const { ok } = store.state()
  const counts = { agents: agents.size, sessions: runtime.topicCount }
  const body: Health = { ok, ...counts, version, pid: process.pid, store: viewStore(store) }
  sendJson(response, ok ? 200 : 503, body)
}

export function shutdown({ response }: Exchange, services: Services): void {
  // Before the answer: whoever has read it must not find us still listening, and send us the next command.
  services.shutdown()
  sendJson(response, 200, { ok: true, message: 'stringd shutting down' }, { Connection: 'close' })
}
