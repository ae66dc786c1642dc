import type { ServerResponse } from 'node:http'
import {
  agentIdOf,
  encodeSse,
  LIMITS,
  parseTurnRequest,
  SSE_COMMENT,
  TURN_STATES,
  type TurnEvent,
  type TurnSummary,
} from '@string-os/protocol'
import type { TurnQuery } from '../../store/groups/turns.ts'
import type { NotTaken, Taken } from '../../turns/not-taken.ts'
import type { TextReply } from '../message.ts'
import type { Exchange, OrdinaryExchange, Services } from '../route.ts'
import { prefersJson } from '../serve/accept.ts'
import { sendBodyError } from '../serve/body-error.ts'
import { beginStream, endJson, retryAfter, sendError, sendJson } from '../serve/respond.ts'
import { timeOf } from './query-time.ts'
import { unknownId } from './unknown-id.ts'

/** Gives an agent a message, and tells what comes of it. A caller who leaves cancels nothing. */
export async function postTurn(exchange: OrdinaryExchange, services: Services): Promise<void> {
  const { response, json, params } = exchange
  const id = agentIdOf(params.id)
  if (!id.ok) return sendError(response, 400, id.error)
  const { agents, residence, turns } = services
  const agent = agents.get(id.value)
  const other = agent === undefined ? await residence.elsewhere(id.value) : null
  if (agent === undefined && other === null) return sendError(response, 404, `Unknown agent: ${id.value}`)
  const asked = json.ok ? parseTurnRequest(json.value) : json
  if (!asked.ok) return sendBodyError(exchange, asked.error)
  if (other !== null) await answerTaken(exchange, services, await turns.askElsewhere(other, asked.value))
  else if (agent !== undefined) await answerTaken(exchange, services, await turns.ask(agent, asked.value))
}

async function answerTaken(exchange: OrdinaryExchange, services: Services, taken: Taken): Promise<void> {
  const { request, response } = exchange
  if (!taken.ok) return refuseTurn(response, taken)
  if (prefersJson(request.headers.accept)) await whole(exchange, services, taken.turnId)
  else await stream(exchange, services, taken.turnId, 0)
}

/** The same for a turn that exists. */
export async function streamTurn(exchange: OrdinaryExchange, services: Services): Promise<void> {
  const from = Number(exchange.query().get('from') ?? '0')
  if (!Number.isSafeInteger(from) || from < 0)
    return sendError(exchange.response, 400, '"from" must be a number of characters')
  await stream(exchange, services, exchange.params.id ?? '', from)
}

export async function showTurn({ response, params }: Exchange, { turns }: Services): Promise<void> {
  const turn = await turns.get(params.id ?? '')
  if (turn === null) return sendError(response, 404, unknownId('turn', params.id))
  sendJson(response, 200, turn)
}

export async function cancelTurn({ response, params }: Exchange, { turns }: Services): Promise<void> {
  const turn = await turns.cancel(params.id ?? '')
  if (turn === null) return sendError(response, 404, unknownId('turn', params.id))
  sendJson(response, 200, turn)
}

export async function retryTurn({ response, params }: Exchange, { turns }: Services): Promise<void> {
  const taken = await turns.retry(params.id ?? '')
  if (taken === null) return sendError(response, 404, unknownId('turn', params.id))
  if (!taken.ok) return refuseTurn(response, taken)
  sendJson(response, 200, (await turns.get(taken.turnId)) ?? {})
}

/** Newest first, of one agent. */
export async function listAgentTurns(exchange: Exchange, services: Services): Promise<void> {
  const id = agentIdOf(exchange.params.id)
  if (!id.ok) return sendError(exchange.response, 400, id.error)
  const { agents, residence } = services
  if (agents.get(id.value) === undefined && (await residence.elsewhere(id.value)) === null)
    return sendError(exchange.response, 404, `Unknown agent: ${id.value}`)
  await list(exchange, services, id.value)
}

/** Newest first, of all agents or of the one that is named. */
export async function listTurns(exchange: Exchange, services: Services): Promise<void> {
  const named = exchange.query().get('agent_id')
  const id = named === null ? null : agentIdOf(named)
  if (id !== null && !id.ok) return sendError(exchange.response, 400, id.error)
  await list(exchange, services, id?.value ?? null)
}

async function list({ response, query }: Exchange, { turns }: Services, agentId: string | null): Promise<void> {
  const given = query()
  const state = given.get('state')
  const known = TURN_STATES.find((each) => each === state) ?? null
  if (state !== null && known === null) return sendError(response, 400, `"state" is one of ${TURN_STATES.join(', ')}`)
  const limit = Number(given.get('limit') ?? LIMITS.listedTurns)
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > LIMITS.listedTurnsMax)
    return sendError(response, 400, `"limit" is a number from 1 to ${LIMITS.listedTurnsMax}`)
  const since = timeOf(given.get('since'))
  if (since === undefined) return sendError(response, 400, '"since" must be a time such as 2026-03-19T05:30:00Z')
  const asked: TurnQuery = {
    agentId,
    session: given.get('session'),
    state: known,
    since,
    again: given.has('again'),
    before: given.get('before'),
    limit,
  }
  sendJson(response, 200, { turns: await turns.list(asked) })
}

/** Every turn that changes its state, as long as somebody listens. */
export function watchTurns({ response, query }: OrdinaryExchange, { turns, turnsElsewhere }: Services): void {
  const agentId = query().get('agent_id')
  const outlet = openStream(response)
  const tell = (turn: TurnSummary | null): void => {
    if (turn !== null && (agentId === null || turn.agent_id === agentId)) outlet.send(encodeSse('turn', turn))
  }
  // Who comes again asks for what was missed.
  const leave = (): void => void response.destroy()
  const unwatch = turns.watch(tell)
  const unhear = turnsElsewhere((id) => (id === null ? leave() : void turns.summary(id).then(tell, leave)))
  outlet.send(encodeSse('ready', {}))
  response.once('close', unwatch)
  response.once('close', unhear)
}

export async function listUsage({ response, query }: Exchange, { usage }: Services): Promise<void> {
  const given = query()
  const by = USAGE_BY.find((each) => each === (given.get('by') ?? 'agent'))
  if (by === undefined) return sendError(response, 400, `"by" is one of ${USAGE_BY.join(', ')}`)
  const since = timeOf(given.get('since'))
  if (since === undefined) return sendError(response, 400, '"since" must be a time such as 2026-03-19T05:30:00Z')
  sendJson(response, 200, { usage: await usage(by, since) })
}

const USAGE_BY = ['agent', 'session', 'day'] as const

function refuseTurn(response: TextReply, { status, code, message, retryAfterSecs }: NotTaken): void {
  const headers = retryAfterSecs === undefined ? {} : retryAfter(retryAfterSecs)
  sendJson(response, status, { error: code, message }, headers)
}

async function stream({ response }: OrdinaryExchange, { turns }: Services, id: string, from: number): Promise<void> {
  const waiting: string[] = []
  let outlet: Outlet | null = null
  const send = (text: string): void => {
    if (outlet === null) waiting.push(text)
    else outlet.send(text)
  }
  let isDone = false
  const done = (): void => {
    isDone = true
    send(encodeSse('done', {}))
    outlet?.end()
  }
  const unfollow = await turns.follow(id, from, (event) => send(frameOf(event)), done)
  if (unfollow === null) return sendError(response, 404, unknownId('turn', id))
  if (response.destroyed) return unfollow()
  outlet = openStream(response)
  for (const text of waiting) outlet.send(text)
  if (isDone) outlet.end()
  response.once('close', unfollow)
}

/** One object when the turn has ended, however long that takes; of one that a daemon leaves to the next, as it then stands. */
async function whole({ response }: OrdinaryExchange, { turns, heartbeat }: Services, id: string): Promise<void> {
  let end: () => void = () => undefined
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  response.once('close', end)
  const unfollow = await turns.follow(id, 0, () => undefined, end)
  heartbeat.start(response, 'json')
  if (unfollow !== null && !response.destroyed) await over
  heartbeat.stop(response)
  unfollow?.()
  const turn = response.destroyed ? null : await turns.get(id)
  if (turn !== null) return endJson(response, turn)
  // It was removed with its agent.
  if (response.headersSent) response.destroy()
  else sendError(response, 404, unknownId('turn', id))
}

function frameOf({ type, ...data }: TurnEvent): string {
  return encodeSse(type, data)
}

interface Outlet {
  readonly send: (text: string) => void
  readonly end: () => void
}

/** A stream that says now and then that it lives; who does not read it is cut off, and can come again. */
function openStream(response: ServerResponse): Outlet {
  beginStream(response)
  const beat = setInterval(() => response.write(SSE_COMMENT), LIMITS.sseCommentMs).unref()
  response.once('close', () => clearInterval(beat))
  return {
    send: (text) => {
      response.write(text)
      if (response.writableLength > LIMITS.subscriberMissedBytes) response.destroy()
    },
    end: () => {
      clearInterval(beat)
      response.end()
    },
  }
}
