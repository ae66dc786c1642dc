import type { Socket } from 'node:net'
import { LIMITS } from '@string-os/protocol'
import type { RequestHead } from '../message.ts'
import type { PlainRoute } from '../route.ts'
import { bodyRules, jsonOf } from './body.ts'
import type { LaneParts } from './lane-parts.ts'
import { otherMethod } from './other-method.ts'
import { readPlainHead } from './plain-head.ts'
import { PlainReply } from './plain-reply.ts'

/** What was found out about a head: of the next one that is the same, none of it is asked again. */
interface Known {
  readonly text: string
  readonly headBytes: number
  readonly bodyBytes: number
  readonly route: PlainRoute
  readonly params: Readonly<Record<string, string>>
  readonly query: () => URLSearchParams
  readonly request: RequestHead
}

/** A connection on which all that came until now was plain: one request after the other, each answered before the next. */
export class PlainConnection {
  readonly socket: Socket
  readonly #parts: LaneParts
  readonly #date: () => string
  readonly #onGone: () => void
  #isBusy = false
  #hasServed = false
  #known: Known | null = null
  /** What came while another was being answered. */
  #held: Buffer | null = null

  constructor(socket: Socket, parts: LaneParts, date: () => string, onGone: () => void) {
    this.socket = socket
    this.#parts = parts
    this.#date = date
    this.#onGone = onGone
    socket.setTimeout(parts.headersMs)
    for (const [event, listener] of this.#listeners()) socket.on(event, listener)
  }

  /** Something is being answered, or has not left yet. */
  get isActive(): boolean {
    return this.#isBusy || this.socket.writableLength > 0
  }

  #listeners(): readonly (readonly [string, (chunk: Buffer) => void])[] {
    return [
      ['data', this.#onData],
      ['end', this.#onEnd],
      ['timeout', this.#onTimeout],
      ['drain', this.#onDrain],
      ['error', ignore],
      ['close', this.#onGone],
    ]
  }

  readonly #onData = (chunk: Buffer): void => {
    // After its last answer nothing is done for it any more.
    if (!this.socket.writable) return
    if (this.#isBusy) return this.#hold(chunk)
    const known = this.#read(chunk)
    if (known === null) return this.#leave(chunk)
    const { socket, headers } = known.request
    const key = headers['x-string-key']
    const verdict = this.#parts.peers.isWelcome(socket, typeof key === 'string' ? key : undefined)
    if (verdict === true) return this.#serve(known, chunk)
    this.#isBusy = true
    void Promise.resolve(verdict).then((isWelcome) => {
      this.#isBusy = false
      if (socket.destroyed) return
      if (isWelcome) this.#serve(known, chunk)
      else this.#leave(chunk)
    })
  }

  /** Null: not plain, not whole, more than one, not for here, or not allowed. */
  #read(chunk: Buffer): Known | null {
    const end = chunk.indexOf('\r\n\r\n')
    if (end === -1) return null
    const text = chunk.toString('latin1', 0, end)
    if (this.#known?.text !== text) this.#known = this.#learn(text)
    const known = this.#known
    return known !== null && chunk.length === known.headBytes + known.bodyBytes ? known : null
  }

  #learn(text: string): Known | null {
    const { guard, router } = this.#parts
    const head = readPlainHead(text)
    if (head === null) return null
    const request: RequestHead = { ...head, socket: this.socket }
    if (guard(request) !== null) return null
    const mark = head.url.indexOf('?')
    const path = mark === -1 ? head.url : head.url.slice(0, mark)
    const match = router(head.method, path)
    const query = (): URLSearchParams => new URLSearchParams(mark === -1 ? '' : head.url.slice(mark + 1))
    const known = { text, headBytes: head.headBytes, bodyBytes: head.bodyBytes, query, request }
    if (match.kind === 'method' && head.bodyBytes === 0)
      return { ...known, route: otherMethod(head.method, path, match.allow), params: {} }
    if (match.kind !== 'route' || match.route.isOrdinary === true) return null
    const { route, params } = match
    const { refuse, limitBytes } = bodyRules(route)
    if (head.bodyBytes > 0 && (refuse(request) !== null || head.bodyBytes > limitBytes)) return null
    return { ...known, route, params }
  }

  #serve({ headBytes, bodyBytes, route, params, query, request }: Known, chunk: Buffer): void {
    const { services, room, run } = this.#parts
    const ready = services()
    const response = new PlainReply(request, this.#date, this.#onAnswer)
    if (ready === null || !room.take(response, bodyBytes)) return this.#leave(chunk)
    if (!this.#hasServed) this.socket.setTimeout(LIMITS.keepAliveIdleMs)
    this.#hasServed = true
    this.#isBusy = true
    const bytes = chunk.subarray(headBytes)
    const exchange = { request, response, params, query, json: jsonOf(route, bytes), bytes }
    run(route, exchange, ready, () => room.forget(response))
  }

  readonly #onAnswer = (): void => {
    const { socket } = this
    this.#isBusy = false
    if (socket.destroyed) return
    this.#parts.unread.add(socket)
    if (!socket.writable) return
    if (this.#held !== null) this.#leave(NOTHING)
    // Who does not read what was answered asks for nothing more.
    else if (socket.writableNeedDrain) socket.pause()
  }

  readonly #onDrain = (): void => {
    this.socket.resume()
  }

  readonly #onEnd = (): void => {
    this.socket.end()
  }

  readonly #onTimeout = (): void => {
    // Who reads slowly is nobody who says nothing.
    if (this.isActive) return
    if (this.#hasServed) this.socket.destroy()
    // Of a daemon that was busy it may have come by now: whoever still says nothing is cut off there.
    else this.#leave(NOTHING)
  }

  #hold(chunk: Buffer): void {
    this.#held = this.#held === null ? chunk : Buffer.concat([this.#held, chunk])
    this.socket.pause()
  }

  /** What has not been answered yet, the other parser reads first. */
  #leave(chunk: Buffer): void {
    const unanswered = this.#held === null ? chunk : Buffer.concat([chunk, this.#held])
    const socket = this.#release()
    socket.pause()
    this.#parts.leave(socket)
    if (unanswered.length > 0) socket.unshift(unanswered)
    socket.resume()
  }

  /** The socket without anything of this. */
  #release(): Socket {
    const { socket } = this
    for (const [event, listener] of this.#listeners()) socket.off(event, listener)
    socket.setTimeout(0)
    this.#onGone()
    return socket
  }
}

const NOTHING = Buffer.alloc(0)

/** The socket is closed after it. */
function ignore(): void {}
