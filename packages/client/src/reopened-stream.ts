import { LIMITS, type SseEvent, SseParser } from '@string-os/protocol'
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
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000
/** Every stream says something each 15 s, a comment where nothing happens: one that does not is dead, whatever its connection says. */
const SILENT_MS = 1.5 * LIMITS.eventPingMs
const SILENT = `The daemon has said nothing for ${SILENT_MS / 1000} s`

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
  { signal, waits = false, onLost, canReopen = () => true, giveUpMs = Number.POSITIVE_INFINITY }: Reopening,
): AsyncGenerator<SseEvent> {
  let pauseMs = FIRST_PAUSE_MS
  let lostAt: number | null = null
  let wasThere = waits
  let isAgain = false
  while (!isOver(signal)) {
    const onMessage = (): void => {
      pauseMs = FIRST_PAUSE_MS
      lostAt = null
    }
    const opened = async (): Promise<Answer> => {
      const answer = await open(isAgain)
      wasThere = true
      return answer
    }
    const broken = yield* eachMessage(opened, onMessage)
    if (isOver(signal)) return
    // Looking for a daemon that hangs takes longer than the pauses.
    lostAt ??= performance.now()
    if (!isPassing(broken) || !canReopen() || performance.now() - lostAt >= giveUpMs) throw broken
    if (!wasThere && broken instanceof UnreachableError) throw broken
    const reason = broken instanceof Error ? broken.message : ''
    isAgain = true
    onLost?.(reason)
    yield { event: LOST, data: reason, id: null }
    await pause(pauseMs, signal)
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }
}

/** The messages of one connection; answers what ended it. */
async function* eachMessage(open: () => Promise<Answer>, onMessage: () => void): AsyncGenerator<SseEvent, unknown> {
  try {
    const answer = await open()
    if (answer.status !== 200) return refusal(answer, (await answer.text()).text)
    yield { event: OPEN, data: '', id: null }
    for await (const message of readStream(answer)) {
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

async function* readStream(answer: Answer): AsyncGenerator<SseEvent> {
  const parser = new SseParser()
  let isSilent = false
  const watchSilence = (): ReturnType<typeof setTimeout> =>
    setTimeout(() => {
      isSilent = true
      answer.cut()
    }, SILENT_MS)
  let silence = watchSilence()
  try {
    for await (const chunk of answer.chunks()) {
      clearTimeout(silence)
      yield* parser.push(chunk)
      silence = watchSilence()
    }
  } catch (cause) {
    throw new IncompleteError(isSilent ? SILENT : 'The stream broke off', { cause })
  } finally {
    clearTimeout(silence)
    answer.cut()
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
