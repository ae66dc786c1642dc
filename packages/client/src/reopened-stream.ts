import { type SseEvent, SseParser } from '@string-os/protocol'
import { type Answer, refusal } from './call.ts'
import { HttpError, IncompleteError, isLost, UnreachableError } from './errors.ts'

export interface Reopening {
  readonly signal?: AbortSignal | undefined
  /** Whether a daemon is waited for also where none was there yet; else that is thrown, as by every other call. */
  readonly waits?: boolean | undefined
  /** Told each time that it is to be opened again, and why. */
  readonly onLost?: ((reason: string) => void) | undefined
  /** Whether what broke may be opened again; where it may not, what broke it is thrown. */
  readonly canReopen?: () => boolean
  /** How long in a row nothing may come of opening it; by default, for ever. */
  readonly giveUpMs?: number
  /** A stream that says nothing for so long is dead, whatever its connection says; by default it may be silent. */
  readonly silentMs?: number
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

/** The message with which every connection begins; it is ours, not the daemon's. */
export const OPEN = 'open'
/** The message with which one ends that is to be opened again; its data say why. */
export const LOST = 'lost'

/**
 * What a stream says. One that breaks or ends is opened again, until `signal` is aborted or the reader has enough: whoever
 * opens it is told which it is. A refusal is thrown, unless it says that the daemon cannot answer now.
 */
export async function* reopenedStream(
  open: (isAgain: boolean) => Promise<Answer>,
  { signal, waits = false, onLost, canReopen = () => true, giveUpMs = Number.POSITIVE_INFINITY, silentMs }: Reopening,
): AsyncGenerator<SseEvent> {
  let pauseMs = FIRST_PAUSE_MS
  let waitedMs = 0
  let wasThere = waits
  let isAgain = false
  while (!isOver(signal)) {
    const onMessage = (): void => {
      pauseMs = FIRST_PAUSE_MS
      waitedMs = 0
    }
    const opened = async (): Promise<Answer> => {
      const answer = await open(isAgain)
      wasThere = true
      return answer
    }
    const broken = yield* eachMessage(opened, onMessage, silentMs)
    if (isOver(signal)) return
    if (!isPassing(broken) || !canReopen() || waitedMs >= giveUpMs) throw broken
    if (!wasThere && broken instanceof UnreachableError) throw broken
    const reason = broken instanceof Error ? broken.message : ''
    isAgain = true
    onLost?.(reason)
    yield { event: LOST, data: reason, id: null }
    await pause(pauseMs, signal)
    waitedMs += pauseMs
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }
}

/** The messages of one connection; answers what ended it. */
async function* eachMessage(
  open: () => Promise<Answer>,
  onMessage: () => void,
  silentMs: number | undefined,
): AsyncGenerator<SseEvent, unknown> {
  try {
    const answer = await open()
    if (answer.status !== 200) return refusal(answer, (await answer.text()).text)
    yield { event: OPEN, data: '', id: null }
    for await (const message of readStream(answer, silentMs)) {
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

async function* readStream(answer: Answer, silentMs: number | undefined): AsyncGenerator<SseEvent> {
  const parser = new SseParser()
  let silence = watchSilence(answer, silentMs)
  try {
    for await (const chunk of answer.chunks()) {
      clearTimeout(silence)
      yield* parser.push(chunk)
      silence = watchSilence(answer, silentMs)
    }
  } catch (cause) {
    throw new IncompleteError('The stream broke off', { cause })
  } finally {
    clearTimeout(silence)
    answer.cut()
  }
}

function watchSilence(answer: Answer, silentMs: number | undefined): ReturnType<typeof setTimeout> | undefined {
  return silentMs === undefined ? undefined : setTimeout(answer.cut, silentMs)
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
