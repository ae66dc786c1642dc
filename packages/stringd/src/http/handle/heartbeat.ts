import { LIMITS, SSE_COMMENT } from '@string-os/protocol'
import type { TextReply } from '../message.ts'
import { beginJson, beginStream } from '../serve/respond.ts'

/** In what form the answer will come: both may begin with something that says nothing. */
export type AnswerForm = 'stream' | 'json'

const BEGIN = { stream: beginStream, json: beginJson } as const
const BEAT = { stream: SSE_COMMENT, json: '\n' } as const

/** Comment lines, or blank ones before JSON, on every connection whose command runs, from one timer for all. */
export class Heartbeat {
  readonly #running = new Map<TextReply, AnswerForm>()
  readonly #timer: NodeJS.Timeout

  constructor() {
    this.#timer = setInterval(() => this.#beat(), LIMITS.sseCommentMs).unref()
  }

  /** The command has left the queue: until then the answer may still be a plain error. */
  start(response: TextReply, form: AnswerForm): void {
    this.#running.set(response, form)
  }

  stop(response: TextReply): void {
    this.#running.delete(response)
  }

  end(): void {
    clearInterval(this.#timer)
  }

  #beat(): void {
    for (const [response, form] of this.#running) {
      if (!response.headersSent) BEGIN[form](response)
      response.write(BEAT[form])
    }
  }
}
