import type { IncomingMessage } from 'node:http'
import { LIMITS } from '@string-os/protocol'

export interface Refusal {
  readonly status: 400 | 403 | 431
  readonly error: string
}

const LOCAL_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i
const LOCAL_ORIGIN = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i

/**
 * Stands in front of every route: no web page but one served from this machine may drive the daemon, by its own
 * requests or by a name that it made point here.
 */
export function guard({ rawHeaders, method }: IncomingMessage): Refusal | null {
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
  if (bytes > LIMITS.headerBytes) return { status: 431, error: `Headers exceed ${LIMITS.headerBytes} bytes` }
  if (host === null) return { status: 400, error: 'Host header required' }
  if (!LOCAL_HOST.test(host)) return { status: 403, error: 'Forbidden: the Host header must name this machine' }
  if (method === 'OPTIONS') return null
  if (origin !== null) return LOCAL_ORIGIN.test(origin) ? null : { status: 403, error: 'Forbidden: foreign Origin' }
  if (site === null || site === 'none' || site === 'same-origin') return null
  return { status: 403, error: 'Forbidden: a request from a foreign site' }
}
