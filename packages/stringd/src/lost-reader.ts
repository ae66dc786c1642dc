import type { EventEmitter } from 'node:events'
import { constants } from 'node:os'
import { systemReason } from '@string-os/protocol'

/** What a program exits with that SIGPIPE ended. */
export const UNREAD = 128 + constants.signals.SIGPIPE

/** A pipe, a socket or a terminal without anybody at its other end. */
const GONE: readonly string[] = ['EPIPE', 'ECONNRESET', 'EIO', 'EOF']

/** Told on the process, which all files of a program share; the signal itself also comes for other pipes than ours. */
const EVENT = 'string:lost-reader'

/**
 * To be called when a program starts. Where nobody reads its output any more, it ends without a word, unless somebody
 * has something to bring to an end first. Output that cannot be written for another reason is one line.
 */
export function endWithoutReader(program: string): void {
  const bus: EventEmitter = process
  let isOver = false
  const end = (name: string, code = ''): void => {
    if (isOver) return
    isOver = true
    const isGone = GONE.includes(code)
    if (!isGone) process.stderr.write(`${program}: Standard ${name} cannot be written: ${systemReason(code)}\n`)
    if (!bus.emit(EVENT)) process.exit(isGone ? UNREAD : 1)
  }
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => end('output', code))
  process.stderr.on('error', ({ code }: NodeJS.ErrnoException) => end('error', code))
}

/** From now on the listener sees to the end of the program, once; answers how to take that back. */
export function onLostReader(listener: () => void): () => void {
  const bus: EventEmitter = process
  bus.on(EVENT, listener)
  return () => void bus.off(EVENT, listener)
}
