import { type Failure, fail, LIMITS } from '@string-os/protocol'
import type { ParseHost } from './parse-host.ts'
import type { ParsedText, ParseTask } from './run-parse.ts'

interface Waiting {
  readonly task: ParseTask
  readonly settle: (result: ParsedText | Failure) => void
  /** Whoever asked does not wait any more. */
  stop: () => void
}

export interface ParsePoolOptions {
  readonly start: () => ParseHost
  /** Hosts at once. */
  readonly size: number
}

/** Hosts that parse, each one document at a time. They are started when there is work and end when there is none. */
export class ParsePool {
  readonly #start: () => ParseHost
  readonly #size: number
  readonly #waiting: Waiting[] = []
  readonly #idle: ParseHost[] = []
  #busy = 0

  constructor({ start, size }: ParsePoolOptions) {
    this.#start = start
    this.#size = size
  }

  /** A command that is stopped ends its parse: with it goes the host, for nothing else ends a program in a loop. */
  run(task: ParseTask, signal?: AbortSignal): Promise<ParsedText | Failure> {
    return new Promise((resolve) => {
      if (signal?.aborted === true) return resolve(stopped())
      const stop = (): void => waiting.stop()
      const settle = (result: ParsedText | Failure): void => {
        signal?.removeEventListener('abort', stop)
        resolve(result)
      }
      const waiting: Waiting = { task, settle, stop: () => this.#leave(waiting) }
      signal?.addEventListener('abort', stop, { once: true })
      this.#waiting.push(waiting)
      this.#next()
    })
  }

  #leave(waiting: Waiting): void {
    const place = this.#waiting.indexOf(waiting)
    if (place !== -1) this.#waiting.splice(place, 1)
    waiting.settle(stopped())
  }

  #next(): void {
    const next = this.#busy < this.#size ? this.#waiting.shift() : undefined
    if (next === undefined) return
    const host = this.#idle.pop() ?? started(this.#start)
    if (host === null) {
      next.settle(fail('LOAD_ERROR', 'The system has no room to parse this document', 'Try again in a moment'))
      return this.#next()
    }
    this.#busy += 1
    this.#work(host, next)
  }

  #work(host: ParseHost, waiting: Waiting): void {
    const { task, settle } = waiting
    let isOver = false
    const finish = (result: ParsedText | Failure, isFit: boolean): void => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      this.#busy -= 1
      if (isFit && host.rest !== undefined) this.#keep(host, host.rest)
      else host.end()
      settle(result)
      this.#next()
    }
    const timer = setTimeout(() => finish(tooSlow(), false), LIMITS.parseMs)
    waiting.stop = () => finish(stopped(), false)
    host.parse(task, {
      parsed: (text) => finish(text, true),
      ended: (why) => finish(cannotParse(why), false),
    })
  }

  #keep(host: ParseHost, rest: (ended: () => void) => void): void {
    const leave = (): void => {
      clearTimeout(timer)
      const place = this.#idle.indexOf(host)
      if (place === -1) return
      this.#idle.splice(place, 1)
      host.end()
    }
    const timer = setTimeout(leave, LIMITS.parserIdleMs).unref()
    rest(leave)
    this.#idle.push(host)
  }
}

/** Null when the system has no room for one. */
function started(start: () => ParseHost): ParseHost | null {
  try {
    return start()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return null
  }
}

function cannotParse(why: string | null): Failure {
  return fail(
    'LOAD_ERROR',
    `The document cannot be parsed${why === null ? '' : `: ${why}`}`,
    '/open TARGET --source shows it as it is',
  )
}

function stopped(): Failure {
  return fail('CANCELLED', 'The document was not parsed to its end', 'Open it again')
}

function tooSlow(): Failure {
  return fail(
    'TIMEOUT',
    `The document takes longer than ${LIMITS.parseMs / 1000} s to parse`,
    '/open TARGET --source shows it as it is',
  )
}
