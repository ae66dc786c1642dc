import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { LIMITS } from '@string-os/protocol'
import type { ReplyHeaders, RequestHead, TextReply } from '../message.ts'

const STAYS = `Connection: keep-alive\r\nKeep-Alive: timeout=${LIMITS.keepAliveIdleMs / 1000}\r\n`
const ENDS = 'Connection: close\r\n'

/** The answer to a plain request: head and body leave in one write when both are there. */
export class PlainReply implements TextReply {
  readonly #socket: Socket
  readonly #date: () => string
  readonly #onEnd: () => void
  /** What has been said and has not left yet. */
  #head = ''
  #isChunked = false
  /** Its connection ends with it. */
  #isLast: boolean
  headersSent = false

  constructor({ socket, headers }: RequestHead, date: () => string, onEnd: () => void) {
    this.#socket = socket
    this.#isLast = headers.connection === 'close'
    this.#date = date
    this.#onEnd = onEnd
  }

  writeHead(status: number, headers: ReplyHeaders): this {
    const list = Array.isArray(headers) ? headers : Object.entries(headers).flat()
    let lines = ''
    let hasLength = false
    for (let index = 0; index < list.length; index += 2) {
      if (list[index] === 'Connection') this.#isLast = true
      else lines += `${list[index]}: ${list[index + 1]}\r\n`
      if (list[index] === 'Content-Length') hasLength = true
    }
    this.#isChunked = !hasLength
    const framing = hasLength ? '' : 'Transfer-Encoding: chunked\r\n'
    this.#head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}Date: ${this.#date()}\r\n${this.#isLast ? ENDS : STAYS}${framing}\r\n`
    this.headersSent = true
    return this
  }

  write(text: string): void {
    this.#send(this.#framed(text))
  }

  end(text = ''): void {
    if (!this.headersSent) this.writeHead(200, { 'Content-Length': Buffer.byteLength(text) })
    this.#send(this.#isChunked ? `${this.#framed(text)}0\r\n\r\n` : text)
    if (this.#isLast) this.#socket.destroySoon()
    this.#onEnd()
  }

  /** What it was about is lost, and whoever waits learns it. */
  destroy(): void {
    this.#socket.destroy()
    this.#onEnd()
  }

  #framed(text: string): string {
    if (!this.#isChunked || text === '') return text
    return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
  }

  #send(text: string): void {
    const all = this.#head + text
    this.#head = ''
    if (this.#socket.writable && all !== '') this.#socket.write(all)
  }
}
