import { LIMITS } from '@string-os/protocol'
import type { RequestHead } from '../message.ts'

export interface RefusedRequest {
  readonly status: 400 | 403 | 431
  readonly error: string
}

const LOCAL_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i
const LOCAL_ORIGIN = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i

/** Whether pages of an origin may drive the daemon from another port. */
export type Listed = (origin: string) => boolean

export function listedOrigins(allowOrigins: readonly string[]): Listed {
  const listed = new Set(allowOrigins.map((origin) => origin.toLowerCase()))
  return (origin) => listed.has(origin.toLowerCase())
}

/** Refuses a request, or lets it pass. */
export type Guard = (request: RequestHead) => RefusedRequest | null

/**
 * Stands in front of every route: no web page may drive the daemon, by its own requests or by a name that it made point
 * here. A page of this machine may when its origin is listed. Programs, which no browser speaks for, may say that they
 * are local.
 */
export function createGuard(isListed: Listed, pagePaths: readonly string[] = []): Guard {
  const pages = new Set(pagePaths)
  return ({ rawHeaders, method, url = '', headers }) => {
    const { host, origin, site, bytes } = readHeaders(rawHeaders)
    if (bytes > LIMITS.headerBytes) return { status: 431, error: `Headers exceed ${LIMITS.headerBytes} bytes` }
    if (host === null) return { status: 400, error: 'Host header required, such as 127.0.0.1' }
    if (!LOCAL_HOST.test(host))
      return forbidden('the Host header must name this machine: 127.0.0.1, localhost or [::1]')
    if (method === 'OPTIONS') return null
    if (origin !== null && !LOCAL_ORIGIN.test(origin)) return forbidden('foreign Origin')
    if (site === null || site === 'none' || site === 'same-origin') return null
    if (origin === null && method === 'GET' && isLink(headers) && pages.has(url.replace(/\?.*/s, ''))) return null
    if (origin === null) return forbidden('a request from a foreign site')
    // Every local port is a site of its own, whatever its page came from.
    if (isListed(origin)) return null
    return forbidden('a page of another port; STRING_ALLOW_ORIGINS may list its origin')
  }
}

/** The person followed a link, in a window of its own: nothing of the page that has the link can see what comes. */
function isLink(headers: RequestHead['headers']): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

function forbidden(why: string): RefusedRequest {
  return { status: 403, error: `Forbidden: ${why}` }
}

interface GuardedHeaders {
  readonly host: string | null
  readonly origin: string | null
  readonly site: string | null
  readonly bytes: number
}

/** A header that comes more than once is no value that any rule knows. */
function readHeaders(rawHeaders: readonly string[]): GuardedHeaders {
  let host: string | null = null
  let origin: string | null = null
  let site: string | null = null
  let bytes = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    const value = rawHeaders[index + 1] ?? ''
    // The parser counts names and values alone, which lets many short headers pass: with colon, blank and line end.
    bytes += name.length + value.length + 4
    // Most names can be told by their length alone.
    if (name.length === 4 && name.toLowerCase() === 'host') host = host === null ? value : `${host},${value}`
    else if (name.length === 6 && name.toLowerCase() === 'origin')
      origin = origin === null ? value : `${origin},${value}`
    else if (name.length === 14 && name.toLowerCase() === 'sec-fetch-site')
      site = site === null ? value : `${site},${value}`
  }
  return { host, origin, site, bytes }
}
