import { type Failure, fail, quoted } from '@string-os/protocol'
import { WEB_LIMITS } from './limits.ts'

export interface TargetUrl {
  readonly ok: true
  readonly url: URL
}

/** A URL that may be fetched, as far as its spelling goes; `base` is the page that a redirect comes from. */
export function parseTargetUrl(typed: string, base?: URL): TargetUrl | Failure {
  if (typed.length > WEB_LIMITS.urlChars) {
    return fail('INVALID_TARGET', `The URL is longer than ${WEB_LIMITS.urlChars} characters`, 'Give a shorter one')
  }
  if (!URL.canParse(typed, base?.href)) return malformed(typed)
  const url = new URL(typed, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return wrongScheme(url, base)
  if (url.username !== '' || url.password !== '') return withCredentials(url)
  if (url.href.length <= WEB_LIMITS.urlChars) return { ok: true, url }
  return fail(
    'INVALID_TARGET',
    `The URL is longer than ${WEB_LIMITS.urlChars} characters: ${shownUrl(url)}`,
    'Give a shorter one',
  )
}

/** How messages name a URL: no user name, no password, and of the query only that there is one. */
export function shownUrl(url: URL): string {
  const query = url.search === '' ? '' : '?…'
  return quoted(`${url.protocol}//${url.host}${url.pathname}`) + query
}

function malformed(typed: string): Failure {
  // What stands before an @ may be a password.
  const shown = typed.includes('@') ? '' : `: ${quoted(typed)}`
  return fail('INVALID_TARGET', `Not a URL${shown}`, 'A URL looks like https://example.com/page')
}

function wrongScheme(url: URL, base: URL | undefined): Failure {
  const scheme = quoted(url.protocol, 40)
  if (base !== undefined) {
    return fail(
      'INVALID_TARGET',
      `${shownUrl(base)} redirects to a ${scheme} URL; only http: and https: are opened`,
      'Open another page of the server',
    )
  }
  return fail('INVALID_TARGET', `Only http: and https: URLs are opened, not ${scheme}`, 'A file is opened by its path')
}

function withCredentials(url: URL): Failure {
  return fail(
    'INVALID_TARGET',
    `The URL carries a user name or password: ${shownUrl(url)}`,
    'Leave out what stands before the @',
  )
}
