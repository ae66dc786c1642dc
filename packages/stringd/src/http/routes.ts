import { listAgents, showOverview } from './handle/agent-list.ts'
import {
  forgetAgentSession,
  listAgentSessions,
  pauseAgent,
  resumeAgent,
  showAgent,
  stopAgent,
} from './handle/agent-work.ts'
import { registerAgent, removeAgent } from './handle/agents.ts'
import { answerApproval, listApprovals, showApproval } from './handle/approvals.ts'
import { chanFlow } from './handle/chanflow.ts'
import { complete } from './handle/complete.ts'
import { listDeliveries, retryDelivery, showDelivery } from './handle/deliveries.ts'
import { listLog, showDoctor } from './handle/diagnosis.ts'
import { streamEvents } from './handle/event-stream.ts'
import { postExec } from './handle/exec.ts'
import { drainNode, moveAgent, resumeNode, showFleet } from './handle/fleet.ts'
import { ackEvent, listEvents, retryStoredEvent, showEvent } from './handle/inbox.ts'
import { health, shutdown } from './handle/lifecycle.ts'
import { mcp } from './handle/mcp.ts'
import { PAGE_ROUTES } from './handle/page.ts'
import {
  attendSession,
  cancelSession,
  closeSession,
  closeSessionUnnamed,
  listSessions,
  showSession,
  touchSession,
} from './handle/sessions.ts'
import {
  cancelTurn,
  listAgentTurns,
  listTurns,
  listUsage,
  postTurn,
  retryTurn,
  showTurn,
  streamTurn,
  watchTurns,
} from './handle/turns.ts'
import { watchAll } from './handle/watch.ts'
import { postWebhook, rotateWebhook, showWebhook, WEBHOOK_BODY } from './handle/webhook.ts'
import type { Route } from './route.ts'

/** Every endpoint. */
export const ROUTES: readonly Route[] = [
  ...PAGE_ROUTES,
  { method: 'POST', path: '/exec', expects: '{ "cmd": "..." }', handle: postExec },
  { method: 'POST', path: '/mcp', expects: 'a JSON-RPC message', handle: mcp },
  { method: 'POST', path: '/chanflow', expects: '{ "text": "..." }', handle: chanFlow },
  { method: 'POST', path: '/complete', expects: '{ "text": "..." }', handle: complete },
  { method: 'GET', path: '/health', expects: null, handle: health },
  { method: 'POST', path: '/shutdown', expects: null, handle: shutdown },
  { method: 'GET', path: '/doctor', expects: null, handle: showDoctor },
  { method: 'GET', path: '/log', expects: null, handle: listLog },
  { method: 'GET', path: '/overview', expects: null, handle: showOverview },
  { method: 'GET', path: '/agents', expects: null, handle: listAgents },
  { method: 'POST', path: '/agents', expects: '{ "agent_id": "..." }', handle: registerAgent },
  { method: 'GET', path: '/agents/:id', expects: null, handle: showAgent },
  { method: 'DELETE', path: '/agents/:id', expects: null, handle: removeAgent },
  { method: 'POST', path: '/agents/:id/pause', expects: null, handle: pauseAgent },
  { method: 'POST', path: '/agents/:id/resume', expects: null, handle: resumeAgent },
  { method: 'POST', path: '/agents/:id/start', expects: null, handle: resumeAgent },
  { method: 'POST', path: '/agents/:id/stop', expects: null, handle: stopAgent },
  { method: 'GET', path: '/agents/:id/sessions', expects: null, handle: listAgentSessions },
  { method: 'DELETE', path: '/agents/:id/sessions/:session', expects: null, handle: forgetAgentSession },
  { method: 'GET', path: '/agents/:id/turns', expects: null, handle: listAgentTurns },
  { method: 'POST', path: '/agents/:id/turns', expects: '{ "message": "..." }', isOrdinary: true, handle: postTurn },
  { method: 'GET', path: '/turns', expects: null, handle: listTurns },
  { method: 'GET', path: '/turns/watch', expects: null, isOrdinary: true, handle: watchTurns },
  { method: 'GET', path: '/turns/:id', expects: null, handle: showTurn },
  { method: 'DELETE', path: '/turns/:id', expects: null, handle: cancelTurn },
  { method: 'GET', path: '/turns/:id/stream', expects: null, isOrdinary: true, handle: streamTurn },
  { method: 'POST', path: '/turns/:id/retry', expects: null, handle: retryTurn },
  { method: 'GET', path: '/usage', expects: null, handle: listUsage },
  { method: 'GET', path: '/agents/:id/webhook', expects: null, handle: showWebhook },
  { method: 'POST', path: '/agents/:id/webhook', expects: null, handle: rotateWebhook },
  { method: 'POST', path: '/webhook/:token', expects: null, raw: WEBHOOK_BODY, handle: postWebhook },
  { method: 'GET', path: '/events', expects: null, handle: listEvents },
  { method: 'GET', path: '/events/stream', expects: null, isOrdinary: true, handle: streamEvents },
  { method: 'GET', path: '/events/:id', expects: null, handle: showEvent },
  { method: 'POST', path: '/events/:id/ack', expects: null, handle: ackEvent },
  { method: 'POST', path: '/events/:id/retry', expects: null, handle: retryStoredEvent },
  { method: 'GET', path: '/approvals', expects: null, handle: listApprovals },
  { method: 'GET', path: '/approvals/:id', expects: null, handle: showApproval },
  { method: 'POST', path: '/approvals/:id', expects: '{ "answer": "allow" }', handle: answerApproval },
  { method: 'GET', path: '/watch', expects: null, isOrdinary: true, handle: watchAll },
  { method: 'GET', path: '/fleet', expects: null, handle: showFleet },
  { method: 'POST', path: '/fleet/drain', expects: null, handle: drainNode },
  { method: 'POST', path: '/fleet/resume', expects: null, handle: resumeNode },
  { method: 'POST', path: '/fleet/move', expects: '{ "agent_id": "..." }', handle: moveAgent },
  { method: 'GET', path: '/deliveries', expects: null, handle: listDeliveries },
  { method: 'GET', path: '/deliveries/:id', expects: null, handle: showDelivery },
  { method: 'POST', path: '/deliveries/:id/retry', expects: null, handle: retryDelivery },
  { method: 'GET', path: '/sessions', expects: null, handle: listSessions },
  { method: 'POST', path: '/sessions', expects: '{ "agent_id": "...", "topic": "..." }', handle: touchSession },
  { method: 'GET', path: '/sessions/:agent_id/:topic', expects: null, handle: showSession },
  { method: 'DELETE', path: '/sessions/:agent_id/:topic', expects: null, handle: closeSession },
  { method: 'POST', path: '/sessions/:agent_id/:topic/cancel', expects: '{ "all": true }', handle: cancelSession },
  { method: 'POST', path: '/sessions/:agent_id/:topic/attend', expects: null, handle: attendSession },
  { method: 'DELETE', path: '/sessions', expects: null, handle: closeSessionUnnamed },
  { method: 'DELETE', path: '/sessions/*', expects: null, handle: closeSessionUnnamed },
]
