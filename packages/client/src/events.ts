import type { IncomingMessage } from 'node:http'
import { type EventView, parseJson, SseParser } from '@string-os/protocol'
import { IncompleteError, UnreachableError } from './errors.ts'
import { asFields, readText, refusal } from './request.ts'

export interface FollowOptions {
  readonly signal?: AbortSignal | undefined
  /** The id of the last event that is known already; without it, only new ones come. */
  readonly after?: string | undefined
}

/** Opens the stream; `after` goes into `Last-Event-ID`. */
type Connect = (after: string | null) => Promise<IncomingMessage>

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

/** Every event once and in order. A stream that breaks is opened again where it broke; a refusal is thrown. */
export async function* followEvents(connect: Connect, { signal, after }: FollowOptions): AsyncGenerator<EventView> {
  let last = after ?? null
  let pauseMs = FIRST_PAUSE_MS
  while (!isOver(signal)) {
    try {
      const response = await connect(last)
      if (response.statusCode !== 200) throw refusal(response.statusCode ?? 0, (await readText(response)).text)
      for await (const { id, event } of readEvents(response)) {
        last = id ?? last
        pauseMs = FIRST_PAUSE_MS
        if (event !== null) yield event
      }
    } catch (error) {
      if (isOver(signal)) return
      if (!(error instanceof UnreachableError || error instanceof IncompleteError)) throw error
    }
    await pause(pauseMs, signal)
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }
}

function isOver(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}

/** What a stream says, until it ends or breaks; every message may move the place at which to go on. */
async function* readEvents(response: IncomingMessage): AsyncGenerator<{ id: string | null; event: EventView | null }> {
  const parser = new SseParser()
  response.setEncoding('utf8')
  try {
    for await (const chunk of response as AsyncIterable<string>) {
      for (const { event, data, id } of parser.push(chunk)) {
        const value = event === 'event' ? parseJson(data) : null
        yield { id, event: isEvent(value) ? value : null }
      }
    }
  } catch (cause) {
    throw new IncompleteError('The event stream broke off', { cause })
  } finally {
    response.destroy()
  }
}

function isEvent(value: unknown): value is EventView {
  const { id, text } = asFields(value)
  return typeof id === 'string' && typeof text === 'string'
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
