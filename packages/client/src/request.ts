import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { type Fields, isFields, parseJson } from '@string-os/protocol'
import { HttpError, IncompleteError, QueueError, UnreachableError } from './errors.ts'

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** A status beside 200 whose body is an answer as well. */
  readonly accepts?: number
}

export interface Target {
  readonly port: number
  readonly agent: Agent
}

/** Sends one request; the answer's head has come when this resolves. Nothing is ever sent twice. */
export function send(
  { port, agent }: Target,
  { method, path, body, headers = {}, signal }: Call,
): Promise<IncomingMessage> {
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const content =
    payload === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(payload)) }
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent,
      headers: { ...content, ...headers },
      ...(signal === undefined ? {} : { signal }),
    })
    outgoing.on('response', resolve)
    outgoing.on('error', (cause) => {
      if (signal?.aborted) reject(signal.reason)
      else reject(neverConnected(cause) ? unreachable(port, cause) : brokenOff(method, path, cause))
    })
    outgoing.end(payload)
  })
}

/** Nothing has left then; in every other case nobody can tell. */
function neverConnected(cause: NodeJS.ErrnoException): boolean {
  return cause.syscall === 'connect'
}

function unreachable(port: number, cause: Error): UnreachableError {
  return new UnreachableError(`No answer from stringd on port ${port}: ${cause.message}`, { cause })
}

function brokenOff(method: string, path: string, cause?: Error): IncompleteError {
  return new IncompleteError(`stringd broke off its answer to ${method} ${path}`, { cause })
}

/** The text of an answer. `complete` is false when the connection broke before its end. */
export function readText(response: IncomingMessage): Promise<{ text: string; complete: boolean }> {
  return new Promise((resolve) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => {
      text += chunk
    })
    response.on('error', () => resolve({ text, complete: false }))
    response.on('close', () => resolve({ text, complete: response.complete }))
  })
}

/** An answer that is one JSON value; any status but 200 and what the call accepts is thrown. */
export async function readJson(response: IncomingMessage, call: Call): Promise<unknown> {
  const { text, complete } = await readText(response)
  const status = response.statusCode ?? 0
  if (status !== 200 && status !== call.accepts) throw refusal(response, text)
  const value = complete ? parseJson(text) : undefined
  call.signal?.throwIfAborted()
  if (value === undefined) throw brokenOff(call.method, call.path)
  return value
}

/** The error that an answer other than 200 stands for. */
export function refusal({ statusCode: status = 0, headers }: IncomingMessage, text: string): HttpError | QueueError {
  const { error, message, next } = asFields(parseJson(text))
  const reason = typeof message === 'string' ? message : typeof error === 'string' ? error : `HTTP status ${status}`
  const code = queueCode(status, error)
  if (code === null) return new HttpError(status, reason)
  const secs = Number(headers['retry-after'] ?? Number.NaN)
  const told = typeof next === 'string' && next !== '' ? `${reason} ${next}` : reason
  return new QueueError(code, told, Number.isFinite(secs) ? secs : null)
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
