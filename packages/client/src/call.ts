import { type Fields, isFields, type PageHeader, parseJson } from '@string-os/protocol'
import {
  ForeignDaemonError,
  HttpError,
  IncompleteError,
  QueueError,
  type UnreachableError,
  withoutReason,
} from './errors.ts'
import { type Advice, nextAfter, SESSION_FULL } from './next-steps.ts'

export type CallHeaders = Readonly<Partial<Record<'Accept' | PageHeader, string>>>

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: object
  /** Those that a page may send, too. */
  readonly headers?: CallHeaders
  readonly signal?: AbortSignal | undefined
  /** A status beside 200 whose body is an answer as well. */
  readonly accepts?: number
}

/** An answer whose head has come. */
export interface Answer {
  readonly status: number
  /** The header `Retry-After`. */
  readonly retryAfter: string | null
  /** All of its text. `complete` is false when the connection broke before its end. */
  readonly text: () => Promise<{ text: string; complete: boolean }>
  /** Its text as it comes; whoever stops reading has ended it. Throws when the connection breaks. */
  readonly chunks: () => AsyncIterable<string>
  /** Nobody reads it. */
  readonly cut: () => void
  /** Where something else is to be done about what it refuses than everywhere. */
  readonly advice?: Advice
}

/** How requests reach a daemon. */
export interface Transport {
  /** Sends one request, once; the answer's head has come when this resolves. */
  readonly send: (call: Call) => Promise<Answer>
  /** Whether a daemon is there again: else it is thrown. Nothing is started by asking. */
  readonly look: () => Promise<void>
  /** Where the daemon is, before anything is sent to it. */
  readonly find: () => Promise<void>
  /** Whether a daemon that is away can be found or started anew. */
  readonly canFindAnother: boolean
  /** Nobody has said so far where that is. */
  readonly isUnsure: boolean
  /** A path of this program as one that means the same to the daemon. */
  readonly absolute: (path: string) => string
  /** An error that says that no stringd is there. */
  readonly notStringd: () => ForeignDaemonError
  /** An error that says that whoever listens does not answer. */
  readonly silent: () => UnreachableError
  /** What was found may be another daemon now. */
  readonly forget: () => void
  /** Says that the daemon's connection closed. */
  onClose: () => void
}

export function brokenOff(method: string, path: string, cause?: Error): IncompleteError {
  return new IncompleteError(`stringd broke off its answer to ${method} ${path}`, { cause })
}

/** An answer that is one JSON value; any status but 200 and what the call accepts is thrown. */
export async function readJson(answer: Answer, call: Call): Promise<unknown> {
  const { text, complete } = await answer.text()
  const { status } = answer
  if (status !== 200 && status !== call.accepts) throw refusal(answer, text)
  call.signal?.throwIfAborted()
  if (!complete) throw brokenOff(call.method, call.path)
  const value = parseJson(text)
  if (value === undefined) throw notStringd(call, answer.advice)
  return value
}

function notStringd({ method, path }: Call, advice: Advice | undefined): ForeignDaemonError {
  const where = advice === undefined ? '; set STRING_PORT to the port of your own' : ''
  return new ForeignDaemonError(
    `What answered ${method} ${path} is not stringd: that is no JSON${where}`,
    true,
    advice?.foreign,
  )
}

/** The error that an answer other than 200 stands for. */
export function refusal({ status, retryAfter, advice }: Answer, text: string): HttpError | QueueError {
  const { error, message, next } = asFields(parseJson(text))
  const reason = typeof message === 'string' ? message : typeof error === 'string' ? error : withoutReason(status)
  const code = queueCode(status, error)
  if (code === null) {
    const called = typeof error === 'string' ? error : reason
    return new HttpError(status, reason, called, nextAfter(status, called, reason, advice?.refusals))
  }
  const secs = Number(retryAfter ?? Number.NaN)
  // What the daemon says of a queue is for whoever types commands.
  const isQueue = code === 'QUEUE_FULL' || code === 'QUEUE_TIMEOUT'
  const ofSession = code === 'QUEUE_FULL' && reason.includes('session') ? SESSION_FULL : undefined
  const toDo = typeof next === 'string' && !isQueue ? next : ofSession
  return new QueueError(code, reason, Number.isFinite(secs) ? secs : null, toDo)
}

/** What a refusal is called that may be another answer later; null: it is none of these. */
function queueCode(status: number, error: unknown): QueueError['code'] | null {
  if (status === 429) return error === 'LIMIT_REACHED' ? error : 'QUEUE_FULL'
  if (status === 504) return 'QUEUE_TIMEOUT'
  return status === 409 && error === 'BUSY' ? error : null
}

/** The fields of what should be an object; none when it is something else. */
export function asFields(value: unknown): Fields {
  return isFields(value) ? value : {}
}
