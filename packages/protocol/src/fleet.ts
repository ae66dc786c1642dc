import { invalid, type Parsed, valid } from './http.ts'
import { isFields } from './json.ts'

export const NODE_STATES = ['up', 'draining', 'lost', 'stopped'] as const

/** A daemon among those that share a store. */
export interface NodeView {
  readonly name: string
  /** Of its data folder. */
  readonly id: string
  readonly state: (typeof NODE_STATES)[number]
  readonly heartbeat_age_s: number
  readonly agents: number
  readonly running: number
  readonly waiting: number
  readonly oldest_waiting_s: number | null
  readonly version: string
  /** Whether it is the one that was asked. */
  readonly here: boolean
}

/** Answer of `GET /fleet`. */
export interface FleetView {
  readonly node: string
  readonly nodes: readonly NodeView[]
}

/** `POST /fleet/move`: the agent lives on the node that is asked from then on. */
export interface MoveRequest {
  readonly agentId: string
  readonly home: string | null
  /** What runs is ended, not waited for. */
  readonly isNow: boolean
}

export interface AgentMoved {
  readonly agent_id: string
  /** Where it lived. */
  readonly from: string
  readonly to: string
  readonly home: string
  /** Turns that wait for it. */
  readonly waiting: number
}

export function parseMoveRequest(body: unknown): Parsed<MoveRequest> {
  if (!isFields(body) || typeof body.agent_id !== 'string') return invalid('Expected { "agent_id": "..." }')
  const { agent_id, home, now } = body
  if (home !== undefined && home !== null && (typeof home !== 'string' || !home.startsWith('/')))
    return invalid('"home" must be an absolute path')
  if (now !== undefined && typeof now !== 'boolean') return invalid('"now" must be true or false')
  return valid({ agentId: agent_id, home: typeof home === 'string' ? home : null, isNow: now === true })
}
