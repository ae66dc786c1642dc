import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Failure, fail, LIMITS } from '@string-os/protocol'
import { distDir } from '../dist-dir.ts'
import type { ParsedText, ParseTask } from './parse-task.ts'

interface Waiting {
  readonly task: ParseTask
  readonly settle: (result: ParsedText | Failure) => void
}

/** Threads that parse, each one document at a time. They are started when there is work and end when there is none. */
export class ParsePool {
  readonly #size: number
  readonly #keeps: boolean
  readonly #waiting: Waiting[] = []
  readonly #idle: Worker[] = []
  #busy = 0

  /** Without `keeps` every document gets a thread of its own: one that is gone holds no memory. */
  constructor(size: number, keeps: boolean) {
    this.#size = size
    this.#keeps = keeps
  }

  run(task: ParseTask): Promise<ParsedText | Failure> {
    return new Promise((settle) => {
      this.#waiting.push({ task, settle })
      this.#next()
    })
  }

  #next(): void {
    const next = this.#busy < this.#size ? this.#waiting.shift() : undefined
    if (next === undefined) return
    const worker = this.#idle.pop() ?? startWorker()
    if (worker === null) {
      next.settle(
        fail('LOAD_ERROR', 'The system has no room for another thread to parse this document', 'Try again in a moment'),
      )
      return this.#next()
    }
    this.#busy += 1
    this.#work(worker, next)
  }

  #work(worker: Worker, { task, settle }: Waiting): void {
    worker.removeAllListeners()
    worker.ref()
    const finish = (result: ParsedText | Failure, isFit: boolean): void => {
      clearTimeout(timer)
      worker.removeAllListeners()
      this.#busy -= 1
      if (isFit && this.#keeps) this.#rest(worker)
      else end(worker)
      settle(result)
      this.#next()
    }
    const timer = setTimeout(() => finish(tooSlow(), false), LIMITS.parseMs)
    worker.on('exit', () => finish(cannotParse(), false))
    worker.on('error', (error) => finish(cannotParse(error), false))
    worker.on('message', (parsed: ParsedText) => finish(parsed, true))
    worker.postMessage(task)
  }

  #rest(worker: Worker): void {
    // A thread that waits for work keeps no program from ending.
    worker.unref()
    const leave = (): void => {
      clearTimeout(timer)
      const place = this.#idle.indexOf(worker)
      if (place === -1) return
      this.#idle.splice(place, 1)
      end(worker)
    }
    const timer = setTimeout(leave, LIMITS.parserIdleMs).unref()
    worker.once('exit', leave)
    worker.once('error', leave)
    this.#idle.push(worker)
  }
}

function end(worker: Worker): void {
  // What it still reports concerns nobody.
  worker.on('error', () => undefined)
  void worker.terminate()
}

function startWorker(): Worker | null {
  try {
    return new Worker(join(distDir(), 'parse-worker.cjs'), {
      resourceLimits: { maxOldGenerationSizeMb: LIMITS.parserMib },
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return null
  }
}

function cannotParse(error?: Error): Failure {
  const why = error === undefined ? '' : `: ${error.message}`
  return fail('LOAD_ERROR', `The document cannot be parsed${why}`, '/open TARGET --source shows it as it is')
}

function tooSlow(): Failure {
  return fail(
    'TIMEOUT',
    `The document takes longer than ${LIMITS.parseMs / 1000} s to parse`,
    '/open TARGET --source shows it as it is',
  )
}
