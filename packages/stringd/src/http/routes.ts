import { listAgents, registerAgent, removeAgent } from './handle/agents.ts'
import { chanFlow } from './handle/chanflow.ts'
import { complete } from './handle/complete.ts'
import { listDeliveries } from './handle/deliveries.ts'
import { streamEvents } from './handle/event-stream.ts'
import { postExec } from './handle/exec.ts'
import { health, shutdown } from './handle/lifecycle.ts'
import { mcp } from './handle/mcp.ts'
import { cancelSession, closeSession, closeSessionUnnamed, listSessions, touchSession } from './handle/sessions.ts'
import { postWebhook, rotateWebhook, showWebhook, WEBHOOK_BODY } from './handle/webhook.ts'
import type { Route } from './route.ts'

/** Every endpoint. */
export const ROUTES: readonly Route[] = [
  { method: 'POST', path: '/exec', expects: '{ "cmd": "..." }', handle: postExec },
  { method: 'POST', path: '/mcp', expects: 'a JSON-RPC message', handle: mcp },
  { method: 'POST', path: '/chanflow', expects: '{ "text": "..." }', handle: chanFlow },
  { method: 'POST', path: '/complete', expects: '{ "text": "..." }', handle: complete },
  { method: 'GET', path: '/health', expects: null, handle: health },
  { method: 'POST', path: '/shutdown', expects: null, handle: shutdown },
  { method: 'GET', path: '/agents', expects: null, handle: listAgents },
  { method: 'POST', path: '/agents', expects: '{ "agent_id": "..." }', handle: registerAgent },
  { method: 'DELETE', path: '/agents/:id', expects: null, handle: removeAgent },
  { method: 'GET', path: '/agents/:id/webhook', expects: null, handle: showWebhook },
  { method: 'POST', path: '/agents/:id/webhook', expects: null, handle: rotateWebhook },
  { method: 'POST', path: '/webhook/:token', expects: null, raw: WEBHOOK_BODY, handle: postWebhook },
  { method: 'GET', path: '/events/stream', expects: null, handle: streamEvents },
  { method: 'GET', path: '/deliveries', expects: null, handle: listDeliveries },
  { method: 'GET', path: '/sessions', expects: null, handle: listSessions },
  { method: 'POST', path: '/sessions', expects: '{ "agent_id": "...", "topic": "..." }', handle: touchSession },
  { method: 'DELETE', path: '/sessions/:agent_id/:topic', expects: null, handle: closeSession },
  { method: 'POST', path: '/sessions/:agent_id/:topic/cancel', expects: '{ "all": true }', handle: cancelSession },
  { method: 'DELETE', path: '/sessions/*', expects: null, handle: closeSessionUnnamed },
]
