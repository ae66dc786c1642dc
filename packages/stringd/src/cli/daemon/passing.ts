import { HttpError, StringClientError } from '@string-os/client'

/** What the daemon answers; where it is away for a moment, what is known without it. */
export async function answered<T>(ask: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!isPassing(error)) throw error
    return otherwise
  }
}

/** It is stopping, starting, or has lost its store for a while. */
export function isPassing(error: unknown): boolean {
  return error instanceof HttpError ? error.status >= 500 : error instanceof StringClientError
}
