import type { ServerResponse } from 'node:http'
import { LIMITS, SSE_COMMENT } from '@string-os/protocol'
import { beginStream } from './respond.ts'

/** Comment lines on every connection whose command runs, from one timer for all. */
export class Heartbeat {
  readonly #running = new Set<ServerResponse>()
  readonly #timer: NodeJS.Timeout

  constructor() {
    this.#timer = setInterval(() => this.#beat(), LIMITS.sseCommentMs).unref()
  }

  /** The command has left the queue: until then the answer may still be a plain error. */
  start(response: ServerResponse): void {
    this.#running.add(response)
  }

  stop(response: ServerResponse): void {
    this.#running.delete(response)
  }

  end(): void {
    clearInterval(this.#timer)
  }

  #beat(): void {
    for (const response of this.#running) {
      if (!response.headersSent) beginStream(response)
      response.write(SSE_COMMENT)
    }
  }
}
