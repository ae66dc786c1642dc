import { isUtf8 } from 'node:buffer'
import {
  agentIdOf,
  GUESSED_WEBHOOK,
  LIMITS,
  type WebhookAccepted,
  type WebhookPeek,
  type WebhookView,
} from '@string-os/protocol'
import { UNKNOWN_WEBHOOK } from '../../turns/refusals.ts'
import type { Exchange, RawBody, Services } from '../route.ts'
import { sendError, sendJson } from '../serve/respond.ts'

/** Any media type, as it is. */
export const WEBHOOK_BODY: RawBody = {
  limitBytes: LIMITS.webhookBodyBytes,
  name: 'Webhook body',
  refuse: ({ headers }) =>
    headers['content-encoding'] === undefined ? null : 'Webhook body must not have a Content-Encoding',
}

export function showWebhook(exchange: Exchange, services: Services): Promise<void> {
  if (exchange.query().get('peek') !== '1') return answerWebhook(exchange, services, false)
  return peekWebhook(exchange, services)
}

/** Whether there is one, for those who look on: nothing is made, and its secret is not shown. */
async function peekWebhook({ response, params }: Exchange, { agents, residence, port }: Services): Promise<void> {
  const id = agentIdOf(params.id)
  if (!id.ok) return sendError(response, 400, id.error)
  const agent = agents.get(id.value) ?? (await residence.elsewhere(id.value))
  if (agent === null) return sendError(response, 404, `Unknown agent: ${id.value}`)
  const { webhookToken: token = null } = agent
  const webhook_url = token === null ? null : `http://127.0.0.1:${port}/webhook/wh_…${token.slice(-SHOWN_CHARS)}`
  const view: WebhookPeek = { agent_id: id.value, webhook_url, masked: true }
  sendJson(response, 200, view)
}

/** Enough to tell two tokens apart. */
const SHOWN_CHARS = 4

export function rotateWebhook(exchange: Exchange, services: Services): Promise<void> {
  return answerWebhook(exchange, services, true)
}

async function answerWebhook({ response, params }: Exchange, services: Services, renew: boolean): Promise<void> {
  const id = agentIdOf(params.id)
  if (!id.ok) return sendError(response, 400, id.error)
  const token = await services.residence.webhookToken(id.value, renew)
  if (token === null) return sendError(response, 404, `Unknown agent: ${id.value}`)
  const view: WebhookView = {
    agent_id: id.value,
    webhook_url: `http://127.0.0.1:${services.port}/webhook/${token}`,
  }
  sendJson(response, 200, view)
}

/** Appends a text to an inbox: the answer leaves when it is on the disk. */
export async function postWebhook(exchange: Exchange, services: Services): Promise<void> {
  const { request, response, params, bytes } = exchange
  const { agents, residence, inbox, refusals } = services
  // Asked when the body is there: a token that was renewed meanwhile is not good any more.
  const token = params.token ?? ''
  const agent = agents.byWebhookToken(token) ?? (await residence.byToken(token))
  if (agent === null) {
    if (token !== GUESSED_WEBHOOK) refusals.note(UNKNOWN_WEBHOOK)
    return sendError(response, 401, 'Unknown webhook token')
  }
  if (!isUtf8(bytes)) return sendError(response, 400, 'Webhook body is not UTF-8, in which a text is sent')
  if (bytes.length === 0) return sendError(response, 400, 'Webhook body must be non-empty text')
  const key = request.headers['idempotency-key']
  if (key !== undefined && (typeof key !== 'string' || key === '' || key.length > LIMITS.eventKeyChars)) {
    return sendError(response, 400, `Idempotency-Key must have 1 to ${LIMITS.eventKeyChars} characters`)
  }
  const arrival = { agentId: agent.id, source: 'local-webhook', text: bytes.toString('utf8') }
  const { id } = await inbox.append(key === undefined ? arrival : { ...arrival, key })
  const answer: WebhookAccepted = { ok: true, agent_id: agent.id, event_id: id }
  sendJson(response, 202, answer)
}
