import { type Answer, brokenOff, type Call, type Transport } from './call.ts'
import { ForeignDaemonError, UnreachableError } from './errors.ts'
import { pageAdvice, pageOrigin } from './page-steps.ts'

/** A daemon that has answered so recently is there. */
const HEARD_MS = 1_000

/** What a browser has: `fetch`, to the daemon that the page came from unless another address is given. */
export class FetchTransport implements Transport {
  readonly #baseUrl: string
  readonly canFindAnother = false
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
      (await this.#send({ method: 'GET', path: '/health', signal: call.signal })).cut()
    return this.#send(call)
  }

  async #send({ method, path, body, headers = {}, signal }: Call): Promise<Answer> {
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
      const cause = error instanceof Error ? error : undefined
      this.#heardAt = Number.NEGATIVE_INFINITY
      if (method === 'GET') throw unreachable(this.#address, cause)
      throw brokenOff(method, path, cause)
    }
  }
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
