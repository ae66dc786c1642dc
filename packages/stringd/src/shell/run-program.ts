import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { endFamily } from '@string-os/bridge/reap'
import { LIMITS } from '@string-os/protocol'
import { CLOSE_OTHERS } from './one-shot.ts'

/** A program with its arguments: no shell reads any of them. */
export interface ProgramRun {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** The mark that all it starts carries. */
  readonly owner: string
  readonly limitMs: number
  readonly signal: AbortSignal
  /** Of its output; with more it is ended. */
  readonly outputBytes: number
  /** Of any one file that it writes. */
  readonly fileBytes: number
}

export type ProgramEnd =
  | { readonly kind: 'exited'; readonly status: number; readonly output: Buffer; readonly errors: string }
  | { readonly kind: 'timeout' | 'cancelled' | 'too-large' }
  | { readonly kind: 'failed'; readonly reason: string }

/** What the system puts in front of the program: its limit is in blocks of 1 KiB. */
const START = `${CLOSE_OTHERS}
ulimit -f "$1"
shift
exec "$@"`

/** Runs a program to its end, in a process group of its own; all it started is ended when it takes too long or too much. */
export async function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  const { file, args, cwd, env, owner, limitMs, signal, outputBytes, fileBytes } = run
  const words = ['-c', START, 'bash', String(Math.ceil(fileBytes / 1024)), file, ...args]
  const child = spawn('/bin/bash', words, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = new AbortController()
  const output = gather(child.stdout, outputBytes, () => stop.abort())
  // Of what it complains about, the beginning is enough.
  const errors = gather(child.stderr, LIMITS.errorBytes, () => undefined)
  const end = await new Promise<ProgramEnd | number>((resolve) => {
    const timer = setTimeout(() => resolve({ kind: 'timeout' }), limitMs)
    const cancel = (): void => resolve({ kind: 'cancelled' })
    stop.signal.addEventListener('abort', () => resolve({ kind: 'too-large' }))
    signal.addEventListener('abort', cancel, { once: true })
    if (signal.aborted) cancel()
    const done = (how: ProgramEnd | number): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
      resolve(how)
    }
    child.on('error', (error: NodeJS.ErrnoException) => done({ kind: 'failed', reason: error.code ?? error.message }))
    child.on('exit', (code, name) => done(code ?? 128 + constants.signals[name ?? 'SIGKILL']))
  })
  if (child.pid !== undefined && typeof end !== 'number')
    await endFamily({ leader: child.pid, owner }, { graceMs: LIMITS.shellGraceMs })
  await Promise.race([Promise.all([output.ended, errors.ended]), sleep(LIMITS.shellDrainMs)])
  await setImmediate()
  child.stdout.destroy()
  child.stderr.destroy()
  if (typeof end !== 'number') return end
  // A file over the limit ends the program with this signal, or one that it started.
  const isTooLarge = stop.signal.aborted || end === 128 + constants.signals.SIGXFSZ
  if (isTooLarge) return { kind: 'too-large' }
  return { kind: 'exited', status: end, output: output.bytes(), errors: errors.bytes().toString() }
}

interface Gathered {
  readonly ended: Promise<unknown>
  readonly bytes: () => Buffer
}

function gather(stream: Readable, limit: number, tooMuch: () => void): Gathered {
  const chunks: Buffer[] = []
  let length = 0
  stream.on('data', (chunk: Buffer) => {
    const room = limit - length
    length += chunk.length
    if (room > 0) chunks.push(chunk.subarray(0, room))
    if (length > limit) tooMuch()
  })
  return { ended: once(stream, 'close'), bytes: () => Buffer.concat(chunks) }
}
