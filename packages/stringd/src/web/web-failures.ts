import { STATUS_CODES } from 'node:http'
import { type Failure, fail } from '@string-os/protocol'
import { shownUrl } from './target-url.ts'

const LATER = 'Try again later'

/** What it says before the address, and what to do. */
type Sentence = readonly [says: string, next: string]

const SENTENCES: ReadonlyMap<string, Sentence> = new Map<string, Sentence>([
  ['ECONNREFUSED', ['Nothing answers at', 'Check the port, and that the server runs']],
  ['ECONNRESET', ['The connection was broken off by', LATER]],
  ['EPIPE', ['The connection was broken off by', LATER]],
  ['UND_ERR_SOCKET', ['The connection was broken off by', LATER]],
  ['EHOSTUNREACH', ['There is no way to the host of', 'Check the network']],
  ['ENETUNREACH', ['There is no way to the host of', 'Check the network']],
  ['ETIMEDOUT', ['There is no answer from', LATER]],
  ['ENOTFOUND', ['There is no such host:', 'Check the spelling']],
  ['EAI_AGAIN', ['The host name could not be looked up:', 'Check the network, or the name']],
  ['UND_ERR_HEADERS_OVERFLOW', ['The headers are too large at', 'Open another page of the server']],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', ['The page ends before its announced length:', LATER]],
])

/** An answer that carries no page. */
export function statusFailure(status: number, url: URL): Failure {
  const reason = `${status} ${STATUS_CODES[status] ?? ''}`.trim()
  const system = `The server answered ${reason} for ${shownUrl(url)}`
  if (status === 404 || status === 410)
    return fail(
      'NOT_FOUND',
      `Page not found: ${shownUrl(url)} (${reason})`,
      `Check the spelling, or open a page that links to it: /open ${url.origin}`,
    )
  if (status === 401 || status === 407) {
    return fail('AUTH_REQUIRED', system, 'What needs a login is not fetched: no credentials are sent')
  }
  if (status === 429 || status >= 500) return fail('LOAD_ERROR', system, LATER)
  const next = status === 403 ? 'The server keeps it from programs or from you: open another page' : 'Check the address'
  return fail('LOAD_ERROR', system, next)
}

/** A connection that failed. What is no such failure is a fault of ours, and thrown. */
export function networkFailure(error: unknown, url: URL): Failure {
  if (!(error instanceof Error)) throw error
  const code = error.name === 'HTTPParserError' ? 'HPE_' : (error as NodeJS.ErrnoException).code
  if (typeof code !== 'string') throw error
  const [says, next] = SENTENCES.get(code) ?? byFamily(code)
  return fail('LOAD_ERROR', `${says} ${shownUrl(url)}`, next)
}

/** TLS, HTTP and compression have many codes each. */
function byFamily(code: string): Sentence {
  if (code.startsWith('HPE_')) return ['The answer is not valid HTTP:', 'Check the port and http: or https:']
  if (/^(Z_|BROTLI_|ERR__ERROR_|ERR_BROTLI)/.test(code)) return ['The compressed content is damaged:', LATER]
  if (/CERT|SELF_SIGNED|UNABLE_TO_/.test(code))
    return ['The certificate is not valid for', 'Check the host name, or open another page']
  if (/^(EPROTO|ERR_SSL|ERR_TLS)/.test(code)) return ['No secure connection could be made to', 'Check http: or https:']
  return [`The network reports ${code} for`, LATER]
}
