import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Failure, fail, LIMITS } from '@string-os/protocol'
import { distDir } from '../dist-dir.ts'
import type { ParsedText, ParseTask } from './parse-task.ts'

export type Parse = (task: ParseTask) => Promise<ParsedText | Failure>

/** What may be an action, whose templates cost more to read than other text. */
const ACTION = /\bact\.[a-z]/

/** Makes documents of text. Small ones here; what could hold up everyone else, in a worker with a time limit. */
export function createParser(): Parse {
  let run: ((task: ParseTask) => Promise<ParsedText>) | null = null
  let queue: Promise<unknown> = Promise.resolve()
  return async (task) => {
    if (task.text.length <= (ACTION.test(task.text) ? LIMITS.judgeHereChars : LIMITS.parseHereChars)) {
      run ??= await loadRunParse()
      return run(task)
    }
    const result = queue.then(() => parseInWorker(task))
    // One that failed must not stand in the way of the next.
    queue = result.catch(() => undefined)
    return result
  }
}

async function loadRunParse(): Promise<(task: ParseTask) => Promise<ParsedText>> {
  const { createRunParse } = await import('./run-parse.ts')
  return createRunParse()
}

/** One worker per large document: it is rare, and a worker that is gone holds no memory. */
function parseInWorker(task: ParseTask): Promise<ParsedText | Failure> {
  return new Promise((resolve) => {
    const worker = startWorker(task)
    if (worker === null)
      return resolve(
        fail('LOAD_ERROR', 'The system has no room for another thread to parse this document', 'Try again in a moment'),
      )
    const timer = setTimeout(() => finish(tooSlow()), LIMITS.parseMs)
    const finish = (result: ParsedText | Failure): void => {
      clearTimeout(timer)
      void worker.terminate()
      resolve(result)
    }
    worker.on('exit', () =>
      finish(fail('LOAD_ERROR', 'The document cannot be parsed', '/open TARGET --source shows it as it is')),
    )
    worker.on('message', (parsed: ParsedText) => finish(parsed))
    worker.on('error', (error) =>
      finish(
        fail(
          'LOAD_ERROR',
          `The document cannot be parsed: ${error.message}`,
          '/open TARGET --source shows it as it is',
        ),
      ),
    )
  })
}

function startWorker(task: ParseTask): Worker | null {
  try {
    return new Worker(join(distDir(), 'parse-worker.cjs'), { workerData: task })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return null
  }
}

function tooSlow(): Failure {
  return fail(
    'TIMEOUT',
    `The document takes longer than ${LIMITS.parseMs / 1000} s to parse`,
    '/open TARGET --source shows it as it is',
  )
}
