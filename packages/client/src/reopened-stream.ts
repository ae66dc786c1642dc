import type { IncomingMessage } from 'node:http'
import { type SseEvent, SseParser } from '@string-os/protocol'
import { HttpError, IncompleteError, isLost } from './errors.ts'
import { readText, refusal } from './request.ts'

export interface Reopening {
  readonly signal?: AbortSignal | undefined
  /** Whether what broke may be opened again; where it may not, what broke it is thrown. */
  readonly canReopen?: () => boolean
  /** How long in a row nothing may come of opening it; by default, for ever. */
  readonly giveUpMs?: number
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

/** The message with which every connection begins; it is ours, not the daemon's. */
export const OPEN = 'open'

/**
 * What a stream says. One that breaks or ends is opened again, until `signal` is aborted or the reader has enough. A refusal
 * is thrown, unless it says that the daemon cannot answer now.
 */
export async function* reopenedStream(
  open: () => Promise<IncomingMessage>,
  { signal, canReopen = () => true, giveUpMs = Number.POSITIVE_INFINITY }: Reopening,
): AsyncGenerator<SseEvent> {
  let pauseMs = FIRST_PAUSE_MS
  let waitedMs = 0
  while (!isOver(signal)) {
    const broken = yield* eachMessage(open, () => {
      pauseMs = FIRST_PAUSE_MS
      waitedMs = 0
    })
    if (isOver(signal)) return
    if (!isPassing(broken) || !canReopen() || waitedMs >= giveUpMs) throw broken
    await pause(pauseMs, signal)
    waitedMs += pauseMs
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }
}

/** The messages of one connection; answers what ended it. */
async function* eachMessage(
  open: () => Promise<IncomingMessage>,
  onMessage: () => void,
): AsyncGenerator<SseEvent, unknown> {
  try {
    const response = await open()
    const status = response.statusCode ?? 0
    if (status !== 200) return refusal(response, (await readText(response)).text)
    yield { event: OPEN, data: '', id: null }
    for await (const message of readStream(response)) {
      onMessage()
      yield message
    }
    return new IncompleteError('stringd ended the stream')
  } catch (error) {
    return error
  }
}

function isPassing(error: unknown): boolean {
  return isLost(error) || (error instanceof HttpError && error.status === 503)
}

async function* readStream(response: IncomingMessage): AsyncGenerator<SseEvent> {
  const parser = new SseParser()
  response.setEncoding('utf8')
  try {
    for await (const chunk of response as AsyncIterable<string>) yield* parser.push(chunk)
  } catch (cause) {
    throw new IncompleteError('The stream broke off', { cause })
  } finally {
    response.destroy()
  }
}

function isOver(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
    if (signal?.aborted === true) done()
  })
}
