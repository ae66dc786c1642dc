import type { Answer, Refusal } from './answer.ts'

/** Asks a route that the client has no call for. */
export async function ask<T>(path: string): Promise<Answer<T>> {
  try {
    const response = await fetch(path)
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
