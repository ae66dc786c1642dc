import { Agent, request } from 'node:http'

/** One keep-alive connection. The same client for base and ours, so that its own cost is in both. */
export class Connection {
  #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  #port

  constructor(port) {
    this.#port = port
  }

  exec(body) {
    return this.send('/exec', body)
  }

  /** The text of an answer and its headers as they came; a status of refusal is an error. A string is sent as it is. */
  send(path, body) {
    const payload = typeof body === 'string' ? body : JSON.stringify(body)
    return new Promise((resolve, reject) => {
      const outgoing = request(this.#options(path, payload), (response) => {
        const chunks = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          if (response.statusCode < 300) resolve({ text, rawHeaders: response.rawHeaders })
          else reject(new Error(`${path} was answered ${response.statusCode}: ${text}`))
        })
      })
      outgoing.on('error', reject)
      outgoing.end(payload)
    })
  }

  #options(path, payload) {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(payload),
      'X-Agent-Id': 'default',
    }
    return { host: '127.0.0.1', port: this.#port, method: 'POST', path, agent: this.#agent, headers }
  }
}
