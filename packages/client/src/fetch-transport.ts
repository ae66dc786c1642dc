import { type Answer, brokenOff, type Call, refusal, type Transport } from './call.ts'
import { ForeignDaemonError, IncompleteError, type StringClientError, UnreachableError } from './errors.ts'
import { HANGS } from './next-steps.ts'
import { pageAdvice, pageOrigin } from './page-steps.ts'
import { untilAborted, whileAnswered } from './until-aborted.ts'

/** A daemon that has answered so recently is there. */
const HEARD_MS = 1_000
/** How long it may take to say who is there, before nobody is. */
const LOOK_MS = 3_000
const HEALTH = '/health'

/** What a browser has: `fetch`, to the daemon that the page came from unless another address is given. */
export class FetchTransport implements Transport {
  readonly #baseUrl: string
  readonly canFindAnother = false
  readonly isUnsure = false
  /** When something was answered last, by the clock of the page. */
  #heardAt = Number.NEGATIVE_INFINITY
  onClose: () => void = () => undefined

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl
  }

  readonly find = (): Promise<void> => Promise.resolve()

  /** A browser is in no folder: the daemon says what it makes of it. */
  readonly absolute = (path: string): string => path

  readonly look = (): Promise<void> => Promise.resolve()

  readonly forget = (): void => undefined

  readonly notStringd = (): ForeignDaemonError =>
    new ForeignDaemonError(`What answers at ${this.#address} is not stringd`, true, pageAdvice().foreign)

  readonly silent = (): UnreachableError =>
    new UnreachableError(`What listens at ${this.#address} does not answer`, { next: HANGS })

  get #address(): string {
    return this.#baseUrl.startsWith('http') ? this.#baseUrl : `${pageOrigin() ?? ''}${this.#baseUrl}`
  }

  /** Only a page has an address that others are seen from. */
  #checkAddress(): void {
    if (!this.#baseUrl.startsWith('http') && pageOrigin() === null)
      throw new UnreachableError('There is no page here, whose address would be that of the daemon', {
        next: "Say where it is: new StringClient({ baseUrl: 'http://127.0.0.1:3923' })",
      })
  }

  readonly send = async (call: Call): Promise<Answer> => {
    this.#checkAddress()
    // What only asks can be asked again. Of the rest a browser does not say whether it has left: so it is asked before who is there.
    if (call.method !== 'GET' && performance.now() - this.#heardAt > HEARD_MS)
      await whileAnswered(this.silent, async (limit) => {
        const signal = call.signal === undefined ? limit : AbortSignal.any([call.signal, limit])
        ;(await this.#send({ method: 'GET', path: HEALTH, signal })).cut()
      })
    return this.#send(call)
  }

  async #send(call: Call): Promise<Answer> {
    const { method, path, body, headers = {}, signal } = call
    const cut = new AbortController()
    try {
      const response = await fetch(`${this.#baseUrl}${path}`, {
        method,
        headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal === undefined ? cut.signal : AbortSignal.any([signal, cut.signal]),
      })
      this.#heardAt = performance.now()
      return answerOf(response, () => cut.abort())
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason
      this.#heardAt = Number.NEGATIVE_INFINITY
      const cause = error instanceof Error ? error : undefined
      throw await untilAborted(signal, () => this.#withoutAnswer(call, cause))
    }
  }

  /** A browser says the same of whatever fails; who is there now says more. */
  async #withoutAnswer({ method, path }: Call, cause: Error | undefined): Promise<StringClientError> {
    const address = this.#address
    // In this order: one that is just starting is not taken for somebody else.
    const isAnybody = (await this.#look('no-cors')) !== null
    if (!isAnybody) return method === 'GET' ? unreachable(address, cause) : brokenOff(method, path, cause)
    const there = await this.#look('cors')
    if (there === null) return this.notStringd()
    if (there.status === 403)
      return refusal(
        answerOf(there, () => undefined),
        await there.text(),
      )
    return unexplained(`The browser has no answer to ${method} ${path}, but ${address} answers`, method)
  }

  /** Every page may see what a daemon answers to this; of another program it sees only that somebody answers. */
  #look(mode: 'cors' | 'no-cors'): Promise<Response | null> {
    return fetch(`${this.#baseUrl}${HEALTH}`, { mode, signal: AbortSignal.timeout(LOOK_MS) }).catch(() => null)
  }
}

const CONSOLE_SAYS =
  'The console of the browser says whether that was refused before it was sent, or its connection broke'

/** What only asks has no effect, whether it was sent or not. */
function unexplained(message: string, method: Call['method']): StringClientError {
  if (method === 'GET') return new UnreachableError(message, { next: CONSOLE_SAYS })
  return new IncompleteError(message, { next: `${CONSOLE_SAYS}, so that it may have been done` })
}

function unreachable(address: string, cause: Error | undefined): UnreachableError {
  const next = '`string start` starts the daemon; then try again'
  return new UnreachableError(`No answer from stringd at ${address}: ${cause?.message ?? ''}`, { cause, next })
}

function answerOf(response: Response, cut: () => void): Answer {
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    text: async () => {
      try {
        return { text: await response.text(), complete: true }
      } catch {
        // Broken off: what came of it is of no use to anyone.
        return { text: '', complete: false }
      }
    },
    chunks: () => readChunks(response),
    cut,
    get advice() {
      return pageAdvice()
    },
  }
}

async function* readChunks({ body }: Response): AsyncGenerator<string> {
  if (body === null) return
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      yield decoder.decode(part.value, { stream: true })
    }
  } finally {
    // Where it broke there is nothing to cancel any more.
    await reader.cancel().catch(() => undefined)
  }
}
