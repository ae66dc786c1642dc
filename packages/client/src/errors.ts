import { NEXT_STEPS, nextAfter, type QueueCode } from './next-steps.ts'

/** What went wrong on the way to the daemon. What a command answers, errors included, is a result and never thrown. */
export class StringClientError extends Error {
  readonly code: string
  /** What to do about it, in a sentence for whoever reads it. */
  readonly next: string

  constructor(code: string, message: string, next: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = code
    this.next = next
  }
}

/** No connection came about: nothing was sent, so trying again is safe. */
export class UnreachableError extends StringClientError {
  constructor(message: string, { next = NEXT_STEPS.UNREACHABLE, ...options }: ErrorOptions & { next?: string } = {}) {
    super('UNREACHABLE', message, next, options)
  }
}

/** The connection broke before the answer was complete: what was asked for may have been done. */
export class IncompleteError extends StringClientError {
  /** The turn that was begun; null where it was none, or nobody can tell. */
  readonly turnId: string | null

  constructor(
    message: string,
    {
      turnId = null,
      next = NEXT_STEPS.STREAM_INCOMPLETE,
      ...options
    }: ErrorOptions & { readonly turnId?: string | null; readonly next?: string } = {},
  ) {
    super('STREAM_INCOMPLETE', message, next, options)
    this.turnId = turnId
  }
}

/** What listens on the port is no stringd, or another user's. It was sent no command. */
export class ForeignDaemonError extends StringClientError {
  /** It answered, and is no stringd; what is another user's is not even asked. */
  readonly hasAnswered: boolean

  constructor(message: string, hasAnswered = false, next: string = NEXT_STEPS.FOREIGN_DAEMON) {
    super('FOREIGN_DAEMON', message, next)
    this.hasAnswered = hasAnswered
  }
}

/**
 * Not now: the topic or session has too much waiting, this waited too long, the agent takes nothing while it works, or a cap on
 * its turns is reached. It did not run: trying again is safe.
 */
export class QueueError extends StringClientError {
  declare readonly code: QueueCode
  /** When the daemon says that trying again makes sense; null: it does not say. */
  readonly retryAfterSecs: number | null

  constructor(code: QueueCode, message: string, retryAfterSecs: number | null = null, next = NEXT_STEPS[code]) {
    super(code, message, next)
    this.retryAfterSecs = retryAfterSecs
  }
}

/** How the daemon's refusals begin that are about an agent nobody has. */
export const UNKNOWN_AGENT = 'Unknown agent: '

/** How the daemon writes a code; other refusals are the reason itself. */
const CODE = /^[A-Z]+(_[A-Z]+)*$/

/** The daemon refused the request: `code` is what it calls that, else `HTTP_` and the status. */
export class HttpError extends StringClientError {
  readonly status: number

  /** `error`: what the daemon calls it, where that is not the message itself. */
  constructor(
    status: number,
    message: string,
    error: string = message,
    next: string = nextAfter(status, error, message),
  ) {
    super(CODE.test(error) ? error : `HTTP_${status}`, message, next)
    this.status = status
  }

  /** The agent that was asked for, where the reason is that there is none of that name; else null. */
  get unknownAgent(): string | null {
    return this.message.startsWith(UNKNOWN_AGENT) ? this.message.slice(UNKNOWN_AGENT.length) : null
  }
}

/** The reason of a refusal that gives none. */
export function withoutReason(status: number): string {
  return `HTTP status ${status}`
}

/** Whether the daemon is away, or was for a moment. */
export function isLost(error: unknown): boolean {
  return error instanceof UnreachableError || error instanceof IncompleteError
}
