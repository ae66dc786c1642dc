import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type Failure, fail } from '@string-os/protocol'
import { type Admitted, admit, type PageOrigin } from './admission.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { bare, type Headers, type Method, type Reply, send } from './http-send.ts'
import { WEB_LIMITS, type WebLimits } from './limits.ts'
import { pageOf, type WebPage } from './page.ts'
import { canUnpack, readPageBody } from './read-body.ts'
import { parseTargetUrl, shownUrl } from './target-url.ts'
import { networkFailure } from './web-failures.ts'

export interface RequesterOptions {
  /** The port of the daemon, which no request may reach. */
  readonly ownPort: () => number
  /** All addresses of a host name. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>
  /** Where a connection to a checked address really goes: tests stand in for the internet with it. */
  readonly connectTo?: (address: string) => string
  readonly limits?: Partial<WebLimits>
}

export interface WebRequest {
  readonly method: Method
  readonly url: string
  readonly headers: Headers
  readonly body: Uint8Array | null
  /** The page that links, includes or calls; null when a caller named the URL. */
  readonly from: PageOrigin | null
  readonly signal?: AbortSignal
  /** What a server sends with an error is read too. */
  readonly readErrors?: true
}

/** What a server answered, whatever the status. */
export interface Answer {
  readonly ok: true
  readonly status: number
  readonly page: WebPage
}

export type SendRequest = (request: WebRequest) => Promise<Answer | Failure>

/** A URL whose host may be contacted, and where. */
export type AdmitUrl = (
  url: string,
) => Promise<{ readonly ok: true; readonly url: URL; readonly addresses: readonly string[] } | Failure>

/** The guard of every request, for a program that connects by itself. */
export function createAdmission({ ownPort, resolve = resolveHost }: RequesterOptions): AdmitUrl {
  return async (typed) => {
    const target = parseTargetUrl(typed)
    if (!target.ok) return target
    const { url } = target
    try {
      const admitted = admit(url, await addressesOf(url, resolve), null, ownPort())
      return admitted.ok ? { ok: true, url, addresses: admitted.addresses } : admitted
    } catch (error) {
      return networkFailure(error, url)
    }
  }
}

type Requester = Required<Omit<RequesterOptions, 'limits'>> & { readonly limits: WebLimits }

/** One stop of the way: what is asked there, and for whom. */
interface Stop {
  readonly url: URL
  readonly from: PageOrigin | null
  readonly method: Method
  readonly headers: Headers
  readonly body: Uint8Array | null
  readonly readErrors: boolean
}

interface Redirect {
  readonly ok: true
  readonly kind: 'redirect'
  readonly status: number
  readonly location: string
  readonly origin: PageOrigin
}

type Step = { readonly ok: true; readonly kind: 'answer'; readonly answer: Answer } | Redirect | Failure

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

/** Sends requests: http and https only, no way from the web into this machine, each redirect checked like the first (S26). */
export function createRequester(options: RequesterOptions): SendRequest {
  const requester: Requester = {
    resolve: resolveHost,
    connectTo: (address) => address,
    ...options,
    limits: { ...WEB_LIMITS, ...options.limits },
  }
  return async ({ url, signal, readErrors = false, ...request }) => {
    const target = parseTargetUrl(url)
    if (!target.ok) return target
    const deadline = startDeadline(requester.limits.pageMs, signal)
    try {
      return await follow(requester, { ...request, url: target.url, readErrors }, deadline)
    } finally {
      deadline.stop()
    }
  }
}

async function follow(requester: Requester, start: Stop, deadline: Deadline): Promise<Answer | Failure> {
  const seen = new Set<string>()
  let stop = start
  for (;;) {
    const way = `${stop.method} ${stop.url.href}`
    if (seen.has(way))
      return fail(
        'LOAD_ERROR',
        `The redirects of ${shownUrl(start.url)} go round in a circle`,
        'Open another page of the server',
      )
    if (seen.size > requester.limits.redirects) return tooManyRedirects(start.url, requester.limits.redirects)
    seen.add(way)
    const step = await visit(requester, stop, deadline)
    if (!step.ok) return step
    if (step.kind === 'answer') return step.answer
    const next = parseTargetUrl(step.location, stop.url)
    if (!next.ok) return next
    if (next.url.hash === '') next.url.hash = stop.url.hash
    const onward = redirected(stop, next.url, step)
    if (!onward.ok) return onward
    stop = onward.stop
  }
}

/** Headers go no further than the origin they were meant for, and neither does a body. */
function redirected(stop: Stop, url: URL, { status, origin }: Redirect): { ok: true; stop: Stop } | Failure {
  const isSameOrigin = url.origin === stop.url.origin
  const headers = isSameOrigin ? stop.headers : stop.headers.filter(([name]) => name.toLowerCase() === 'accept')
  const next = { ...stop, url, from: origin, headers }
  if (stop.method === 'GET') return { ok: true, stop: next }
  if (status !== 307 && status !== 308) {
    const rest = headers.filter(([name]) => !/^content-/i.test(name))
    return { ok: true, stop: { ...next, method: 'GET', headers: rest, body: null } }
  }
  if (isSameOrigin) return { ok: true, stop: next }
  return fail(
    'LOAD_ERROR',
    `${shownUrl(stop.url)} sends a ${stop.method} on to another server: ${shownUrl(url)}`,
    'Send it there yourself, if that is right',
  )
}

function tooManyRedirects(start: URL, limit: number): Failure {
  return fail('LOAD_ERROR', `${shownUrl(start)} redirects more than ${limit} times`, 'Open another page of the server')
}

/** One URL of the way: checked, then asked. Whatever fails on the network is the answer. */
async function visit(requester: Requester, stop: Stop, deadline: Deadline): Promise<Step> {
  const { url, from } = stop
  try {
    const addresses = await deadline.race(addressesOf(url, requester.resolve))
    const admitted = admit(url, addresses, from, requester.ownPort())
    return admitted.ok ? await ask(requester, stop, admitted, deadline) : admitted
  } catch (error) {
    return deadline.failure(shownUrl(url)) ?? networkFailure(error, url)
  }
}

async function ask(
  requester: Requester,
  stop: Stop,
  { addresses, reach }: Admitted,
  deadline: Deadline,
): Promise<Step> {
  const origin = { url: stop.url.href, reach }
  const reply = await send({
    ...stop,
    addresses: addresses.map(requester.connectTo),
    signal: deadline.signal,
    headerBytes: requester.limits.pageHeaderBytes,
  })
  try {
    const location = redirectOf(reply)
    if (location !== null) return { ok: true, kind: 'redirect', status: reply.status, location, origin }
    const answer = await answerFrom(requester, stop, origin, reply, deadline)
    return answer.ok ? { ok: true, kind: 'answer', answer } : answer
  } finally {
    await reply.close()
  }
}

function redirectOf({ status, header }: Reply): string | null {
  return REDIRECTS.includes(status) ? header('location') : null
}

const NO_BODY: Body = { ok: true, bytes: Buffer.alloc(0) }

async function answerFrom(
  requester: Requester,
  { url, readErrors }: Stop,
  origin: PageOrigin,
  reply: Reply,
  deadline: Deadline,
): Promise<Answer | Failure> {
  const { status } = reply
  if (REDIRECTS.includes(status))
    return fail('LOAD_ERROR', `${shownUrl(url)} redirects, but says not where to`, 'Open another page of the server')
  const isGood = status >= 200 && status <= 299
  const body = isGood || readErrors ? await bodyOf(requester, url, reply, deadline) : NO_BODY
  if (!body.ok && isGood) return body
  const page = pageOf(url, origin, reply.header('content-type'), (body.ok ? body : NO_BODY).bytes)
  return { ok: true, status, page }
}

interface Body {
  readonly ok: true
  readonly bytes: Buffer
}

async function bodyOf(requester: Requester, url: URL, reply: Reply, deadline: Deadline): Promise<Body | Failure> {
  const encoding = reply.header('content-encoding')
  if (!canUnpack(encoding))
    return fail(
      'LOAD_ERROR',
      `The content is packed in an unknown way: ${shownUrl(url)}`,
      'Another program may read it: /exec curl',
    )
  const bytes = await deadline.race(readPageBody(reply.body, encoding, requester.limits))
  if (bytes !== null) return { ok: true, bytes }
  const limit = requester.limits.pageBytes / 1024 / 1024
  return fail('TOO_LARGE', `The page is larger than ${limit} MiB: ${shownUrl(url)}`, 'Save it: /exec curl -o FILE')
}

/** An address stands for itself. */
async function addressesOf(url: URL, resolve: Requester['resolve']): Promise<readonly string[]> {
  const host = bare(url.hostname)
  return isIP(host) === 0 ? resolve(host) : [host]
}

async function resolveHost(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}
