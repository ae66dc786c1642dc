import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type Failure, fail } from '@string-os/protocol'
import { type Admitted, admit, type PageOrigin } from './admission.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { bare, get, type Reply } from './http-get.ts'
import { WEB_LIMITS, type WebLimits } from './limits.ts'
import { type Page, pageOf } from './page.ts'
import { canUnpack, readBody } from './read-body.ts'
import { parseTarget, shownUrl } from './target-url.ts'
import { networkFailure, statusFailure } from './web-failures.ts'

export interface PageFetcherOptions {
  /** The port of the daemon, which no page may reach. */
  readonly ownPort: () => number
  /** All addresses of a host name. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>
  /** Where a connection to a checked address really goes: tests stand in for the internet with it. */
  readonly connectTo?: (address: string) => string
  readonly limits?: Partial<WebLimits>
}

export interface PageRequest {
  /** The page that links or includes this one; null when a caller named the URL. */
  readonly from: PageOrigin | null
  readonly signal?: AbortSignal
}

export type FetchPage = (url: string, request: PageRequest) => Promise<Page | Failure>

type Fetcher = Required<Omit<PageFetcherOptions, 'limits'>> & { readonly limits: WebLimits }

interface Redirect {
  readonly ok: 'redirect'
  readonly location: string
  readonly origin: PageOrigin
}

type Step = Page | Failure | Redirect

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

/** Fetches pages for `/open`: http and https only, no credentials, no way from the web into this machine (S26). */
export function createPageFetcher(options: PageFetcherOptions): FetchPage {
  const fetcher: Fetcher = {
    resolve: resolveHost,
    connectTo: (address) => address,
    ...options,
    limits: { ...WEB_LIMITS, ...options.limits },
  }
  return async (typed, { from, signal }) => {
    const target = parseTarget(typed)
    if (!target.ok) return target
    const deadline = startDeadline(fetcher.limits.pageMs, signal)
    try {
      return await follow(fetcher, target.url, from, deadline)
    } finally {
      deadline.stop()
    }
  }
}

async function follow(
  fetcher: Fetcher,
  start: URL,
  from: PageOrigin | null,
  deadline: Deadline,
): Promise<Page | Failure> {
  const seen = new Set<string>()
  let url = start
  let origin = from
  for (;;) {
    if (seen.has(url.href)) return fail('LOAD_ERROR', `The redirects of ${shownUrl(start)} go round in a circle`)
    if (seen.size > fetcher.limits.redirects) return tooManyRedirects(start, fetcher.limits.redirects)
    seen.add(url.href)
    const step = await visit(fetcher, url, origin, deadline)
    if (step.ok !== 'redirect') return step
    const next = parseTarget(step.location, url)
    if (!next.ok) return next
    if (next.url.hash === '') next.url.hash = url.hash
    origin = step.origin
    url = next.url
  }
}

function tooManyRedirects(start: URL, limit: number): Failure {
  return fail('LOAD_ERROR', `${shownUrl(start)} redirects more than ${limit} times`)
}

/** One URL of the way: checked, then asked. Whatever fails on the network is the answer. */
async function visit(fetcher: Fetcher, url: URL, from: PageOrigin | null, deadline: Deadline): Promise<Step> {
  try {
    const host = bare(url.hostname)
    const addresses = isIP(host) === 0 ? await deadline.race(fetcher.resolve(host)) : [host]
    const admitted = admit(url, addresses, from, fetcher.ownPort())
    return admitted.ok ? await request(fetcher, url, admitted, deadline) : admitted
  } catch (error) {
    return deadline.failure(shownUrl(url)) ?? networkFailure(error, url)
  }
}

async function request(fetcher: Fetcher, url: URL, { addresses, reach }: Admitted, deadline: Deadline): Promise<Step> {
  const origin = { url: url.href, reach }
  const reply = await get({
    url,
    addresses: addresses.map(fetcher.connectTo),
    signal: deadline.signal,
    headerBytes: fetcher.limits.pageHeaderBytes,
  })
  try {
    const location = redirectOf(reply)
    if (location !== null) return { ok: 'redirect', location, origin }
    return await pageFrom(fetcher, url, origin, reply, deadline)
  } finally {
    await reply.close()
  }
}

function redirectOf({ status, header }: Reply): string | null {
  return REDIRECTS.includes(status) ? header('location') : null
}

async function pageFrom(
  fetcher: Fetcher,
  url: URL,
  origin: PageOrigin,
  reply: Reply,
  deadline: Deadline,
): Promise<Page | Failure> {
  if (REDIRECTS.includes(reply.status)) return fail('LOAD_ERROR', `${shownUrl(url)} redirects, but says not where to`)
  if (reply.status < 200 || reply.status > 299) return statusFailure(reply.status, url)
  const encoding = reply.header('content-encoding')
  if (!canUnpack(encoding)) return fail('LOAD_ERROR', `The content is packed in an unknown way: ${shownUrl(url)}`)
  const bytes = await deadline.race(readBody(reply.body, encoding, fetcher.limits))
  if (bytes !== null) return pageOf(url, origin, reply.header('content-type'), bytes)
  const limit = fetcher.limits.pageBytes / 1024 / 1024
  return fail('TOO_LARGE', `The page is larger than ${limit} MiB: ${shownUrl(url)}`)
}

async function resolveHost(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}
