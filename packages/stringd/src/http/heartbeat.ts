import type { ServerResponse } from 'node:http'
import { LIMITS, SSE_COMMENT } from '@string-os/protocol'
import { beginJson, beginStream } from './respond.ts'

/** In what form the answer will come: both may begin with something that says nothing. */
export type AnswerForm = 'stream' | 'json'

/** Comment lines, or blank ones before JSON, on every connection whose command runs, from one timer for all. */
export class Heartbeat {
  readonly #running = new Map<ServerResponse, AnswerForm>()
  readonly #timer: NodeJS.Timeout

  constructor() {
    this.#timer = setInterval(() => this.#beat(), LIMITS.sseCommentMs).unref()
  }

  /** The command has left the queue: until then the answer may still be a plain error. */
  start(response: ServerResponse, form: AnswerForm): void {
    this.#running.set(response, form)
  }

  stop(response: ServerResponse): void {
    this.#running.delete(response)
  }

  end(): void {
    clearInterval(this.#timer)
  }

  #beat(): void {
    for (const [response, form] of this.#running) {
      if (!response.headersSent) form === 'json' ? beginJson(response) : beginStream(response)
      response.write(form === 'json' ? '\n' : SSE_COMMENT)
    }
  }
}
