import type { Answer, Refusal } from './answer.ts'

export interface Asked {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
}

/** One request of a route that the client has no call for. */
export async function ask<T>({ method = 'GET', path, body }: Asked): Promise<Answer<T>> {
  try {
    const response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const value: unknown = await response.json()
    // The daemon serves this page itself, so its answers have the shapes that the page was built with.
    return response.ok ? { ok: true, value: value as T } : refusalOf(response.status, value)
  } catch {
    return { ok: false, status: 0, reason: 'The daemon does not answer. In a terminal: string --daemon start' }
  }
}

function refusalOf(status: number, value: unknown): Refusal {
  const { error, message } = (value ?? {}) as { error?: unknown; message?: unknown }
  const code = typeof error === 'string' ? error : `HTTP status ${status}`
  return { ok: false, status, reason: typeof message === 'string' ? message : code }
}

/** `?a=1&b=2` of what is given. */
export function query(given: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
