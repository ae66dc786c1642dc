import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { LIMITS } from '@string-os/protocol'
import { distDir } from '../dist-dir.ts'
import type { ParsedText, ParseTask } from './run-parse.ts'

/** What becomes of a task that was given to a host. `ended` is told why the host is gone, where that is known. */
export interface ParseHostListener {
  readonly parsed: (text: ParsedText) => void
  readonly ended: (why: string | null) => void
}

/** Runs the program that parses, outside of this thread. */
export interface ParseHost {
  /** Only one task at a time. */
  parse(task: ParseTask, listener: ParseHostListener): void
  /** Waits for the next task, and keeps no program from ending. One that cannot is ended after each task. */
  readonly rest?: (ended: () => void) => void
  end(): void
}

const program = (): string => join(distDir(), 'parse-worker.cjs')

/** Quick to start and to answer; but a thread that runs out of memory may take the whole process with it. */
export function startParseThread(): ParseHost {
  const worker = new Worker(program(), { resourceLimits: { maxOldGenerationSizeMb: LIMITS.parserMib } })
  return {
    parse(task, { parsed, ended }) {
      worker.removeAllListeners()
      worker.ref()
      worker.on('exit', () => ended(null))
      worker.on('error', (error) => ended(error.message))
      worker.on('message', parsed)
      worker.postMessage(task)
    },
    rest(ended) {
      worker.removeAllListeners()
      worker.unref()
      worker.once('exit', ended)
      worker.once('error', ended)
    },
    end() {
      worker.removeAllListeners()
      // What it still reports concerns nobody.
      worker.on('error', () => undefined)
      void worker.terminate()
    },
  }
}

/** For what may need any amount of memory: it has its own and dies alone, after one document. */
export function startParseProcess(mib: number = LIMITS.parserMib): ParseHost {
  const child = fork(program(), [], {
    execArgv: [`--max-old-space-size=${mib}`],
    // Options for Node, and everybody's secrets, are none of its business.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.removeListener('exit', kill))
  return {
    parse(task, { parsed, ended }) {
      child.once('error', (error) => ended(error.message))
      child.once('exit', () => ended(whyLost(child, mib)))
      child.once('message', (text) => parsed(text as ParsedText))
      // One that could not be started has no channel, and reports why by itself.
      if (child.connected) child.send(task, (error) => error !== null && ended(error.message))
    },
    end: kill,
  }
}

/** V8 aborts when its heap is full. */
function whyLost({ signalCode }: ChildProcess, mib: number): string | null {
  return signalCode === 'SIGABRT' ? `it needs more than ${mib} MiB of memory` : null
}
