/** What went wrong on the way to the daemon. What a command answers, errors included, is a result and never thrown. */
export class StringClientError extends Error {
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}

/** No connection came about: nothing was sent, so trying again is safe. */
export class UnreachableError extends StringClientError {
  constructor(message: string, options?: ErrorOptions) {
    super('UNREACHABLE', message, options)
  }
}

/** The connection broke before the answer was complete: what was asked for may have been done. */
export class IncompleteError extends StringClientError {
  constructor(message: string, options?: ErrorOptions) {
    super('STREAM_INCOMPLETE', message, options)
  }
}

/** What listens on the port is no stringd, or another user's. It was sent nothing. */
export class ForeignDaemonError extends StringClientError {
  constructor(message: string) {
    super('FOREIGN_DAEMON', message)
  }
}

/**
 * Not now: the topic or session has too much waiting, this waited too long, the agent takes nothing while it works, or a cap on
 * its turns is reached. It did not run: trying again is safe.
 */
export class QueueError extends StringClientError {
  declare readonly code: 'QUEUE_FULL' | 'QUEUE_TIMEOUT' | 'BUSY' | 'LIMIT_REACHED'
  /** When the daemon says that trying again makes sense; null: it does not say. */
  readonly retryAfterSecs: number | null

  constructor(code: QueueError['code'], message: string, retryAfterSecs: number | null = null) {
    super(code, message)
    this.retryAfterSecs = retryAfterSecs
  }
}

/** The daemon refused the request. */
export class HttpError extends StringClientError {
  readonly status: number

  constructor(status: number, message: string) {
    super(`HTTP_${status}`, message)
    this.status = status
  }
}

/** Whether the daemon is away, or was for a moment. */
export function isLost(error: unknown): boolean {
  return error instanceof UnreachableError || error instanceof IncompleteError
}
