import { connect } from 'node:net'

const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n')

/**
 * One keep-alive connection without `node:http`, for the rows that count requests per second: that client costs more
 * than the servers do, so it would be what is measured.
 */
export class RawConnection {
  #socket
  #received = Buffer.alloc(0)
  #settle = null

  constructor(port) {
    this.#socket = connect(port, '127.0.0.1')
    this.#socket.setNoDelay(true)
    this.#socket.on('data', (chunk) => this.#read(chunk))
    this.#socket.on('close', () => this.#settle?.reject(new Error('The server closed the connection')))
    this.#socket.on('error', (error) => this.#settle?.reject(error))
  }

  exec(body) {
    return this.post('/exec', JSON.stringify(body))
  }

  post(path, payload) {
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nX-Agent-Id: default\r\n`
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      this.#socket.write(`${head}Content-Length: ${Buffer.byteLength(payload)}\r\n\r\n${payload}`)
    })
  }

  #read(chunk) {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const end = this.#received.indexOf('\r\n\r\n')
    if (end === -1) return
    const head = this.#received.latin1Slice(0, end)
    const [, length] = /content-length: (\d+)/i.exec(head) ?? []
    const isChunked = length === undefined && /transfer-encoding: chunked/i.test(head)
    if (!head.startsWith('HTTP/1.1 20') || (length === undefined && !isChunked))
      return this.#settle.reject(new Error(head))
    // An answer that a heartbeat has begun comes in chunks.
    if (isChunked ? !this.#received.subarray(-7).equals(LAST_CHUNK) : this.#received.length < end + 4 + Number(length))
      return
    this.#received = Buffer.alloc(0)
    this.#settle.resolve()
  }
}
