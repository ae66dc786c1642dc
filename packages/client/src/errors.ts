/** What went wrong on the way to the daemon. What a command answers, errors included, is a result and never thrown. */
export class StringClientError extends Error {
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}

/** Nothing listens on the port, or the connection broke before an answer began. */
export class UnreachableError extends StringClientError {
  constructor(message: string, options?: ErrorOptions) {
    super('UNREACHABLE', message, options)
  }
}

/** The topic has too many commands waiting, or this one waited too long. It did not run: trying again is safe. */
export class QueueError extends StringClientError {
  declare readonly code: 'QUEUE_FULL' | 'QUEUE_TIMEOUT'

  constructor(code: 'QUEUE_FULL' | 'QUEUE_TIMEOUT', message: string) {
    super(code, message)
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
