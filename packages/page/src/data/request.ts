/** What the daemon answered, or why it did not; status 0 means that nobody answered. */
export type Answer<T> = { readonly ok: true; readonly value: T } | Refusal

export interface Refusal {
  readonly ok: false
  readonly status: number
  readonly reason: string
}

export interface Asked {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly agent?: string
  readonly signal?: AbortSignal
  /** A status beside those of success whose body is an answer as well. */
  readonly accepts?: number
}

/** One request that is answered with JSON. Never throws: what goes wrong is an answer too. */
export async function ask<T>(asked: Asked): Promise<Answer<T>> {
  try {
    const response = await send(asked, 'application/json')
    const value: unknown = await response.json()
    // The daemon serves this page itself, so its answers have the shapes that the page was built with.
    return response.ok || response.status === asked.accepts
      ? { ok: true, value: value as T }
      : refusalOf(response.status, value)
  } catch (error) {
    return unanswered(error)
  }
}

export function send({ method = 'GET', path, body, agent, signal }: Asked, accept: string): Promise<Response> {
  return fetch(path, {
    method,
    headers: {
      Accept: accept,
      ...(agent === undefined ? {} : { 'X-Agent-Id': agent }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  })
}

export function refusalOf(status: number, value: unknown): Refusal {
  const { error, message } = (value ?? {}) as { error?: unknown; message?: unknown }
  const code = typeof error === 'string' ? error : `HTTP status ${status}`
  return { ok: false, status, reason: typeof message === 'string' ? `${code}: ${message}` : code }
}

export function unanswered(error: unknown): Refusal {
  if (error instanceof DOMException && error.name === 'AbortError') return { ok: false, status: 0, reason: 'Stopped' }
  return { ok: false, status: 0, reason: 'The daemon does not answer. In a terminal: string --daemon start' }
}

/** `?a=1&b=2` of what is given. */
export function query(given: Readonly<Record<string, string | number | null | undefined>>): string {
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** A path with its segments encoded. */
export function path(...segments: readonly string[]): string {
  return `/${segments.map(encodeURIComponent).join('/')}`
}
