import type { Socket } from 'node:net'
import type { Peers } from '../../peers/peers.ts'
import type { Exchange, PlainRoute, Services } from '../route.ts'
import type { Router } from '../router.ts'
import type { BodyRoom } from './body-room.ts'
import type { Guard } from './guard.ts'
import type { UnreadReplies } from './unread-replies.ts'

/** What the short way has in common with the ordinary one. */
export interface LaneParts {
  readonly guard: Guard
  readonly router: Router
  readonly room: BodyRoom
  readonly unread: UnreadReplies
  readonly peers: Peers
  /** Null before they are there. */
  readonly services: () => Services | null
  /** How long somebody may be silent before the first request. */
  readonly headersMs: number
  /** Runs a handler, and answers for what it throws; all that it has begun is over with `over`. */
  readonly run: (route: PlainRoute, exchange: Exchange, services: Services, over: () => void) => void
  /** The parser that knows all of HTTP takes the connection, for good. */
  readonly leave: (socket: Socket) => void
}
