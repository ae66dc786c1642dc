import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LIMITS, quoted } from '@string-os/protocol'
import { EVERYONE, type Peers } from '../../peers/peers.ts'
import { StoreAway } from '../../store/store.ts'
import { viewStore } from '../../store/view-store.ts'
import type { RequestHead, TextReply } from '../message.ts'
import type { RawBody, Route, Services } from '../route.ts'
import { createRouter, type Router } from '../router.ts'
import { bodyRules, hasBody, jsonOf, readBody } from './body.ts'
import { BodyRoom } from './body-room.ts'
import { answerClientError, endRaw } from './client-error.ts'
import { Entrance } from './entrance.ts'
import { fileTrouble } from './file-trouble.ts'
import { createGuard, type Guard, listedOrigins } from './guard.ts'
import { LaneServer } from './lane-server.ts'
import { noMethod } from './other-method.ts'
import { PlainLane } from './plain-lane.ts'
import { createPreflight, type Preflight } from './preflight.ts'
import { refuse } from './refuse.ts'
import { rawError, retryAfter, sendError } from './respond.ts'
import { UnreadReplies } from './unread-replies.ts'

export interface HttpServer {
  readonly server: Server
  /** Requests that have not been answered to the end. */
  readonly active: () => number
  /** Resolves when all that requests have begun is over, also of clients that have left. */
  readonly settled: () => Promise<unknown>
}

/** How long a client may take, and how often that is looked at. */
export interface Patience {
  readonly headersMs: number
  readonly requestMs: number
  readonly lookMs: number
}

export interface HttpServerOptions {
  readonly patience?: Patience
  /** Pages of this machine that may drive the daemon from another port. */
  readonly allowOrigins?: readonly string[]
  /** Who is served; everybody by default. */
  readonly peers?: Peers
}

/** What every request passes. */
interface Way {
  readonly guard: Guard
  readonly preflight: Preflight
  readonly router: Router
  /** For bodies that are being received. */
  readonly room: BodyRoom
}

const PATIENCE: Patience = { headersMs: LIMITS.headersMs, requestMs: LIMITS.requestMs, lookMs: LIMITS.slowClientLookMs }

/** Where a link of a foreign page may lead to. */
function pagePaths(routes: readonly Route[]): string[] {
  return routes.filter(({ isPage }) => isPage === true).map(({ path }) => path)
}

/** The HTTP side of the daemon. Requests that come before `services` are there wait for them. */
export function createHttpServer(
  routes: readonly Route[],
  services: Promise<Services>,
  { patience = PATIENCE, allowOrigins = [], peers = EVERYONE }: HttpServerOptions = {},
): HttpServer {
  const room = new BodyRoom()
  const isListed = listedOrigins(allowOrigins)
  const way: Way = {
    guard: createGuard(isListed, pagePaths(routes)),
    preflight: createPreflight(routes, isListed),
    router: createRouter(routes),
    room,
  }
  const { headersMs, requestMs, lookMs } = patience
  const server = new LaneServer({
    maxHeaderSize: LIMITS.headerBytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: LIMITS.keepAliveIdleMs,
    connectionsCheckingInterval: lookMs,
    // Node would answer a missing Host by itself, without our headers.
    requireHostHeader: false,
  })
  // The guard must see every header; their size is bounded already.
  server.maxHeadersCount = 0
  const handled = new Set<Promise<void>>()
  const unread = new UnreadReplies()
  let active = 0
  let ready: Services | null = null
  void services.then((value) => {
    ready = value
  })
  const count = (response: ServerResponse): void => {
    active += 1
    response.once('close', () => {
      active -= 1
    })
  }
  const entrance = new Entrance(peers)
  const keep = (work: Promise<void>, over: () => void): void => {
    handled.add(work)
    void work.then(() => {
      handled.delete(work)
      over()
    })
  }
  const enter = (request: IncomingMessage, response: ServerResponse): void => {
    const work =
      ready === null
        ? services.then((value) => serve(way, value, request, response))
        : serve(way, ready, request, response)
    keep(work, () => {
      room.forget(request)
      unread.add(response)
    })
  }
  const lane = new PlainLane({
    ...way,
    unread,
    peers,
    headersMs,
    services: () => ready,
    run: (route, exchange, value, over) =>
      keep(
        answered(way, value, exchange, () => route.handle(exchange, value)),
        over,
      ),
    leave: (socket) => server.ordinary(socket),
  })
  server.lane = lane
  server.on('request', (request, response) => {
    count(response)
    entrance.request(request, response, () => enter(request, response))
  })
  // Node would say "go on" before anybody knows to whom.
  server.on('checkContinue', (request, response) => {
    count(response)
    entrance.request(request, response, () => {
      response.writeContinue()
      enter(request, response)
    })
  })
  server.on('checkExpectation', (request, response) => {
    entrance.request(request, response, () => refuse(request, response, 417, 'Expectation failed'))
  })
  server.on('connect', (_request, stream) => {
    const socket = stream as Socket
    const answer = rawError(405, 'Method Not Allowed', 'Method not allowed: CONNECT')
    entrance.connection(socket, () => endRaw(socket, answer))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    entrance.connection(socket, () => answerClientError(error, socket))
  })
  return { server, active: () => active + lane.active(), settled: () => Promise.all(handled) }
}

function serve(way: Way, services: Services, request: IncomingMessage, response: ServerResponse): Promise<void> {
  return answered(way, services, { request, response }, () => handle(way, services, request, response))
}

/** Whatever a handler throws becomes an answer. */
async function answered(
  { router }: Way,
  services: Services,
  { request, response }: { readonly request: RequestHead; readonly response: TextReply },
  work: () => Promise<void> | void,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof StoreAway) return answerAway(services, error, { request, response })
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error)
    services.log.error('A request failed', { route: routeOf(router, request), cause })
    if (response.headersSent) response.destroy()
    else {
      const { status, reason } = fileTrouble(error, services) ?? {
        status: 500,
        reason: 'Internal error; the log has it',
      }
      sendError(response, status, reason)
    }
  }
}

const CHECK_STORE = 'string store check tells more, with STRING_STORE as the daemon has it'

function answerAway(
  { log, store }: Services,
  { message, isDoubtful }: StoreAway,
  { request, response }: { readonly request: RequestHead; readonly response: TextReply },
): void {
  log.warn('A request needed the store, which is away', { reason: message })
  const stored = isDoubtful ? '; it is not known whether this was stored' : '; nothing was stored'
  // Who only reads wants to store nothing.
  const end = request.method === 'GET' ? '' : stored
  if (response.headersSent) response.destroy()
  else
    sendError(
      response,
      503,
      `The store ${viewStore(store).where} cannot be reached: ${message}${end}. ${CHECK_STORE}`,
      retryAfter(1),
    )
}

/** The row of the table, not the path that was sent, which may hold a token. */
function routeOf(router: Router, { method = '', url = '' }: RequestHead): string {
  const match = router(method, url.replace(/\?.*/s, ''))
  return match.kind === 'route' ? `${method} ${match.route.path}` : method
}

async function handle(
  { guard, preflight, router, room }: Way,
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refusal = guard(request)
  if (refusal !== null) return refuse(request, response, refusal.status, refusal.error, { Connection: 'close' })
  const { method = '', url = '' } = request
  if (method === 'OPTIONS') return void response.writeHead(204, preflight(request)).end()
  const mark = url.indexOf('?')
  const path = mark === -1 ? url : url.slice(0, mark)
  const match = router(method, path)
  if (match.kind !== 'route') {
    const shown = `${method} ${quoted(path)}`
    if (match.kind === 'method') return refuse(request, response, 405, noMethod(method, path), { Allow: match.allow })
    if (match.kind === 'encoding') return refuse(request, response, 400, `Malformed path: ${shown}`)
    return refuse(request, response, 404, `Not found: ${shown}`)
  }
  const { route, params } = match
  const bytes = hasBody(request) ? await bodyOf(bodyRules(route), request, response, room) : NO_BYTES
  if (bytes === null) return
  const query = (): URLSearchParams => new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1))
  await route.handle({ request, response, params, query, json: jsonOf(route, bytes), bytes }, services)
}

const NO_BYTES = Buffer.alloc(0)

/** The body of a request; null when that has been answered, or when nobody is left to answer. */
async function bodyOf(
  body: RawBody,
  request: IncomingMessage,
  response: ServerResponse,
  room: BodyRoom,
): Promise<Buffer | null> {
  const refusal = body.refuse(request)
  if (refusal !== null) {
    refuse(request, response, 415, refusal)
    return null
  }
  const read = await readBody(request, body.limitBytes, room)
  if (read.ok) return read.bytes
  if (read.reason === 'no-room') {
    const error = 'Requests that are under way hold as much as there is room for; try again in a moment'
    refuse(request, response, 503, error, retryAfter(1))
  }
  if (read.reason === 'too-large') refuse(request, response, 413, `${body.name} exceeds ${body.limitBytes} bytes`)
  return null
}
