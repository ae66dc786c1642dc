const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the server refused the connection'],
  ['ECONNRESET', 'the server ended the connection'],
  ['EPIPE', 'the server ended the connection'],
  ['ECONNECTION', 'the server ended the connection'],
  ['ENOTFOUND', 'the server has no address'],
  ['EAI_AGAIN', 'the server has no address now'],
  ['EHOSTUNREACH', 'the server cannot be reached'],
  ['ENETUNREACH', 'the server cannot be reached'],
  ['ETIMEDOUT', 'the server did not answer in time'],
  ['EAUTH', 'the server did not take the login'],
  ['ETLS', 'no encrypted connection could be made'],
])

/** Why a connection failed, in our own words: what a library says may hold an address or a login. */
export function networkReason(error: unknown, signal: AbortSignal): string {
  if (signal.aborted)
    return signal.reason instanceof Error ? 'the server did not answer in time' : String(signal.reason)
  const code = codeOf(error)
  if (isUntrusted(error, code)) return 'the certificate of the server is not trusted'
  return REASONS.get(code) ?? (code === '' ? 'the connection failed' : `the connection failed (${code})`)
}

/** The mail library keeps the message of such an error, but not its code. */
function isUntrusted(error: unknown, code: string): boolean {
  return code.includes('CERT') || (error instanceof Error && /certificate/i.test(error.message))
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  // Of several addresses that were tried, the first says enough.
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return /^[A-Z0-9_]{1,40}$/.test(code) ? code : ''
}
