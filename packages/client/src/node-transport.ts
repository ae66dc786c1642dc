import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { atCaller } from './at-caller.ts'
import { type Answer, brokenOff, type Call, type Transport } from './call.ts'
import { Connections } from './connections.ts'
import { defaultPort } from './daemon-address.ts'
import { ForeignDaemonError, StringClientError, UnreachableError } from './errors.ts'
import { HANGS, LOOK_WHY } from './next-steps.ts'
import { isAddress } from './option-names.ts'
import type { AutoStart, ClientOptions, DaemonAddress } from './options.ts'
import { whileAnswered } from './until-aborted.ts'

/** Connections of Node to a daemon of this user. */
export class NodeTransport implements Transport {
  readonly #connections = new Connections({
    // A daemon whose connection closed may come back as another: look again before the next command.
    onClose: (port) => port === this.#port && this.onClose(),
    isVouched: (port) => port === this.#vouched,
  })
  readonly #autoStart: AutoStart | undefined
  /** The port was said, and not where it usually is. */
  readonly #isGiven: boolean
  #port: number
  #key: string | undefined
  /** The port of which `autoStart` said whose it is. */
  #vouched: number | null = null
  #found: Promise<void> | null = null
  onClose: () => void = () => undefined

  constructor({ autoStart, port, key }: ClientOptions) {
    this.#isGiven = port !== undefined
    this.#port = port ?? defaultPort(autoStart !== undefined)
    this.#key = autoStart === undefined ? key : undefined
    this.#autoStart = autoStart
  }

  get port(): number {
    return this.#port
  }

  readonly notStringd = (): ForeignDaemonError => notStringd(this.#port)

  readonly silent = (): UnreachableError =>
    new UnreachableError(`What listens on port ${this.#port} does not answer`, { next: HANGS })

  get canFindAnother(): boolean {
    return this.#autoStart !== undefined
  }

  get isUnsure(): boolean {
    return this.#autoStart !== undefined && !this.#isGiven && this.#vouched === null
  }

  readonly find = (): Promise<void> => {
    this.#found ??= this.#autoStart === undefined ? Promise.resolve() : this.#ask(this.#autoStart, true)
    return this.#found
  }

  readonly look = async (): Promise<void> => {
    if (this.#autoStart !== undefined) {
      await this.#ask(this.#autoStart, false)
      // Whoever may start one does not wait for this: it would tell them that there is none.
      this.#found = Promise.resolve()
      return
    }
    await whileAnswered(this.silent, async (signal) => {
      const answer = await this.send({ method: 'GET', path: '/health', signal })
      await answer.text()
      signal.throwIfAborted()
    })
  }

  readonly absolute = (path: string): string => (/^[/~]/.test(path) ? path : `${process.cwd()}/${path}`)

  readonly forget = (): void => {
    this.#connections.dropIdle()
    this.#found = null
    this.#vouched = null
    if (this.#autoStart !== undefined) this.#key = undefined
  }

  readonly send = async (call: Call): Promise<Answer> => {
    const headers = this.#key === undefined ? {} : { 'X-String-Key': this.#key }
    const next = this.#autoStart === undefined ? undefined : LOOK_WHY
    return answerOf(await send({ port: this.#port, agent: this.#connections, next, headers }, call))
  }

  async #ask(autoStart: AutoStart, mayStart: boolean): Promise<void> {
    const found = await this.#started(autoStart, mayStart)
    if (found === null) throw new TypeError(NO_ADDRESS)
    this.#port = found.port
    this.#key = found.key
    this.#vouched = found.port
  }

  /** Null: what a program gave is no address, which is its own mistake. */
  async #started(autoStart: AutoStart, mayStart: boolean): Promise<DaemonAddress | null> {
    try {
      const found: unknown = await autoStart({ mayStart })
      const address = typeof found === 'number' ? { port: found } : found
      if (isAddress(address)) return address
    } catch (error) {
      this.forget()
      throw mayStart ? notStarted(error) : unreachable(this.#port, error)
    }
    this.forget()
    return null
  }
}

const NO_ADDRESS = 'new StringClient: autoStart must give a port, or { port, key }, where port is 1 to 65535'

interface Target {
  readonly port: number
  readonly agent: Agent
  /** What to do where nobody listens. */
  readonly next: string | undefined
  /** What shows who asks. */
  readonly headers: Readonly<Record<string, string>>
}

/** Nothing is ever sent twice. */
function send(
  { port, agent, next, headers: own }: Target,
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
      headers: { ...content, ...headers, ...own },
      ...(signal === undefined ? {} : { signal }),
    })
    outgoing.on('response', resolve)
    outgoing.on('error', (cause) => {
      if (signal?.aborted) reject(signal.reason)
      else if (neverConnected(cause)) reject(unreachable(port, cause, next))
      else reject(isNoHttp(cause) ? notStringd(port) : brokenOff(method, path, cause))
    })
    outgoing.end(payload)
  })
}

function notStringd(port: number): ForeignDaemonError {
  return new ForeignDaemonError(`What listens on port ${port} is not stringd; set STRING_PORT to its port`, true)
}

/** What answers speaks something else. A connection that closes has no such code. */
function isNoHttp({ code = '' }: NodeJS.ErrnoException): boolean {
  return code.startsWith('HPE_')
}

/** Nothing has left then; in every other case nobody can tell. */
function neverConnected(cause: NodeJS.ErrnoException): boolean {
  return cause.syscall === 'connect'
}

function unreachable(port: number, cause: unknown, next?: string): UnreachableError {
  return new UnreachableError(`No answer from stringd on port ${port}: ${reasonOf(cause)}`, {
    cause,
    ...(next === undefined ? {} : { next }),
  })
}

/** Whatever finds and starts daemons, and however it says that it cannot: the caller hears of it as of every daemon that is away. */
function notStarted(cause: unknown): unknown {
  if (cause instanceof StringClientError) return atCaller(cause)
  return atCaller(new UnreachableError(reasonOf(cause), { cause, next: LOOK_WHY }))
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

function answerOf(response: IncomingMessage): Answer {
  return {
    status: response.statusCode ?? 0,
    retryAfter: response.headers['retry-after'] ?? null,
    text: () => readText(response),
    chunks: () => readChunks(response),
    cut: () => response.destroy(),
  }
}

function readText(response: IncomingMessage): Promise<{ text: string; complete: boolean }> {
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

async function* readChunks(response: IncomingMessage): AsyncGenerator<string> {
  response.setEncoding('utf8')
  try {
    yield* response as AsyncIterable<string>
  } finally {
    response.destroy()
  }
}
